import type { OrderPerson } from "@arcada/contract/order/message-reading-and-pins.calls";

/** A mention that is being typed: where its @ stands, and what follows. */
export interface OpenMention {
  start: number;
  query: string;
}

const maxShown = 8;
// An @ after a letter or digit belongs to an email address. Chinese writes no space before it.
const pattern = /(?<![A-Za-z0-9._-])@([^@\n]{0,40})$/u;

/** Returns the mention at the end of the text before the caret, if there is one. */
export function findOpenMention(before: string): OpenMention | null {
  const found = pattern.exec(before);
  return found ? { start: found.index, query: found[1]! } : null;
}

/** Returns the people whose name, or a word of it, begins with what was typed; the other side first. */
export function matchPeople(people: readonly OrderPerson[], query: string): OrderPerson[] {
  const wanted = query.toLocaleLowerCase();
  const fits = ({ name }: OrderPerson) => {
    const lower = name.toLocaleLowerCase();
    return (
      lower !== wanted.trimEnd() &&
      (lower.startsWith(wanted) || lower.split(" ").some((word) => word.startsWith(wanted)))
    );
  };
  return people
    .filter(fits)
    .toSorted((one, other) => Number(one.mine) - Number(other.mine))
    .slice(0, maxShown);
}
