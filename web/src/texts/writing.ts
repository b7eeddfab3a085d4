/** How a language is written: in which direction, with which digits, and how it joins a list. */

const RIGHT_TO_LEFT = new Set(
  "Adlm Arab Aran Hebr Mand Mend Nkoo Rohg Samr Sogd Syrc Thaa Yezi".split(" "),
);

/** Not every browser tells the direction of a language, but all tell its script. */
export const directionOf = (language: string): "rtl" | "ltr" =>
  RIGHT_TO_LEFT.has(new Intl.Locale(language).maximize().script ?? "") ? "rtl" : "ltr";

/** A browser that does not know a language would count in that of its owner; so it is English. */
export const countedAs = (language: string): string =>
  Intl.PluralRules.supportedLocalesOf(language).length > 0 ? language : "en";

/** Writes whole numbers within a text, such as "1–4", with the digits of the language. */
export const withDigits = (language: string, text: string): string => {
  const numbers = new Intl.NumberFormat(countedAs(language), { useGrouping: false });
  return text.replace(/\d+/g, (digits) => numbers.format(Number(digits)));
};

/** Joins a list; without words where the browser does not know the language. */
export const listed = (language: string, values: readonly string[]): string =>
  Intl.ListFormat.supportedLocalesOf(language).length > 0
    ? new Intl.ListFormat(language).format(values)
    : values.join(", ");

const [FIRST_STRONG, POP] = ["\u2068", "\u2069"];

/** Keeps what is put into a sentence from turning its neighbours around, where that can happen. */
export const isolation = (language: string): ((text: string) => string) =>
  directionOf(language) === "rtl" ? (text) => FIRST_STRONG + text + POP : (text) => text;
