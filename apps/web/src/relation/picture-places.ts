/** Sizes of the picture in CSS pixels. */
export const sizes = {
  /** A card grows with the available width. */
  card: { height: 56, widest: 300 },
  own: { width: 200, height: 64 },
  gap: 12,
  edge: 16,
  narrow: 760,
} as const;

interface Spot {
  /** The card's upper start corner. x is measured from the inline start, so that right-to-left pages mirror it. */
  x: number;
  y: number;
}
export interface Places {
  height: number;
  own: Spot;
  cards: (Spot & { width: number })[];
  /** One path for each card, from the own institution or the trunk to it. */
  lines: string[];
  /** The line below the own institution from which the others branch. */
  trunk: string | null;
}

/**
 * Returns the positions of the cards: around the own institution where there is room, else below it like the branches
 * of a tree.
 */
export const placesOf = (count: number, width: number): Places =>
  width < sizes.narrow ? tree(count, width) : around(count, width);

const step = sizes.card.height + sizes.gap;

function around(count: number, width: number): Places {
  const atStart = Math.floor(count / 2);
  const rows = Math.max(1, Math.ceil(count / 2));
  const height = Math.max(320, rows * step + 2 * sizes.edge);
  // With many partners the own institution stays near the top of the page.
  const ownY = Math.min(height / 2, 240) - sizes.own.height / 2;
  const own = { x: (width - sizes.own.width) / 2, y: ownY };
  const side = (width - sizes.own.width) / 2 - sizes.edge - 2 * sizes.gap;
  const wide = Math.min(sizes.card.widest, side);
  const cards = Array.from({ length: count }, (_, at) => {
    const isStart = at < atStart;
    const inRow = isStart ? at : at - atStart;
    const many = isStart ? atStart : count - atStart;
    const y = height / 2 + (inRow - (many - 1) / 2) * step - sizes.card.height / 2;
    const bend = bendOf(inRow, many) * Math.min(90, side - wide);
    const x = isStart ? sizes.edge + bend : width - sizes.edge - wide - bend;
    return { x, y, width: wide };
  });
  const middle = { x: width / 2, y: ownY + sizes.own.height / 2 };
  const lines = cards.map(({ x, y }, at) => {
    const end = { x: at < atStart ? x + wide : x, y: y + sizes.card.height / 2 };
    const half = (middle.x + end.x) / 2;
    return `M${middle.x} ${middle.y} C${half} ${middle.y} ${half} ${end.y} ${end.x} ${end.y}`;
  });
  return { height, own, cards, lines, trunk: null };
}
/**
 * Returns the offset towards the middle for the upper and lower cards of a side: 0 for the middle card, 1 for the
 * outermost.
 */
const bendOf = (at: number, many: number): number => (many < 3 ? 0 : ((at - (many - 1) / 2) / ((many - 1) / 2)) ** 2);

const indent = 40;
function tree(count: number, width: number): Places {
  const own = { x: 0, y: 0 };
  const top = sizes.own.height + 2 * sizes.gap;
  const cards = Array.from({ length: count }, (_, at) => ({ x: indent, y: top + at * step, width: width - indent }));
  const middles = cards.map(({ y }) => y + sizes.card.height / 2);
  const at = indent / 2;
  const turn = 10;
  return {
    height: top + count * step,
    own,
    cards,
    lines: middles.map((middle) => `M${at} ${middle - turn} q0 ${turn} ${turn} ${turn} H${indent}`),
    trunk: `M${at} ${sizes.own.height} V${(middles.at(-1) ?? sizes.own.height) - turn}`,
  };
}
