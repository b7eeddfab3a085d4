/** Making elements; text is always text, never markup. */

export type Child = Node | string | null | false | undefined;
type Given = Readonly<Record<string, string | number | boolean | ((event: any) => void)>>;

/** Makes an element: functions become listeners, `true` an attribute without value. */
export function h<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  given: Given = {},
  ...children: Child[]
): HTMLElementTagNameMap[Tag] {
  return filled(document.createElement(tag), given, children);
}

/** The same for pictures. */
export function svg(tag: string, given: Given = {}, ...children: Child[]): SVGElement {
  return filled(document.createElementNS("http://www.w3.org/2000/svg", tag), given, children);
}

function filled<E extends Element>(element: E, given: Given, children: Child[]): E {
  for (const [name, value] of Object.entries(given)) {
    if (typeof value === "function") element.addEventListener(name, value);
    else if (value !== false) element.setAttribute(name, value === true ? "" : String(value));
  }
  element.append(...children.filter((child) => child instanceof Node || typeof child === "string"));
  return element;
}

/** Stands in a sentence where an element will. */
const SPOT = "\uFFFC";

/** A sentence with an element, or other text, in its midst. */
export function around(say: (spot: string) => string, child: Child): Child[] {
  const [before, after] = say(SPOT).split(SPOT);
  return [before, child, after];
}

/** A text of several paragraphs, which blank lines separate. */
export const paragraphs = (text: string) =>
  text
    .trim()
    .split(/\n\s*\n/)
    .map((part) => h("p", {}, part));
