/**
 * The channel of outside_channel.py on the respondent's page: one spinner says how many steps an
 * answer slides along its scale, whatever the answer is; it stops at the ends.
 */

import { addChannel, alone, fraction, loadedDie } from "deniable";

addChannel(
  "slide",
  alone(({ values }, { alpha }) => {
    const top = values.length - 1;
    const [part, whole] = fraction(alpha);
    // A step of s has the chance (1 − α)·α^|s|/(1 + α); the last ones stand for all that is further.
    const steps = Array.from({ length: 2 * top + 1 }, (_, face) => BigInt(Math.abs(face - top)));
    const sides = (whole + part) * whole ** BigInt(top);
    const shares = steps.map(
      (step) => (step < top ? whole - part : whole) * part ** step * whole ** (BigInt(top) - step),
    );
    return {
      toss: loadedDie(sides, [shares]),
      apply: ([truth], [face]) => [Math.min(Math.max(truth + face - top, 0), top)],
    };
  }),
  "alpha",
);
