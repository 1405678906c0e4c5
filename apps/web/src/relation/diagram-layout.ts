/** Sizes of the diagram in CSS pixels. */
export const diagramSizes = {
  /** A card grows with the available width. */
  card: { height: 56, widest: 300 },
  own: { width: 200, height: 64 },
  gap: 12,
  edge: 16,
  narrow: 760,
} as const;

interface CardPosition {
  /** The card's upper start corner. x is measured from the inline start, so that right-to-left pages mirror it. */
  x: number;
  y: number;
}
export interface DiagramLayout {
  height: number;
  own: CardPosition;
  cards: (CardPosition & { width: number })[];
  /** One path for each card, from the own institution or the trunk to it. */
  lines: string[];
  /** The line below the own institution from which the others branch. */
  trunk: string | null;
}

/**
 * Returns the positions of the cards: around the own institution where there is room, else below it like the branches
 * of a tree.
 */
export const layoutDiagram = (count: number, width: number): DiagramLayout =>
  width < diagramSizes.narrow ? layoutTree(count, width) : layoutAround(count, width);

const rowHeight = diagramSizes.card.height + diagramSizes.gap;

function layoutAround(count: number, width: number): DiagramLayout {
  const atStart = Math.floor(count / 2);
  const rows = Math.max(1, Math.ceil(count / 2));
  const height = Math.max(320, rows * rowHeight + 2 * diagramSizes.edge);
  // With many partners the own institution stays near the top of the page.
  const ownY = Math.min(height / 2, 240) - diagramSizes.own.height / 2;
  const own = { x: (width - diagramSizes.own.width) / 2, y: ownY };
  const side = (width - diagramSizes.own.width) / 2 - diagramSizes.edge - 2 * diagramSizes.gap;
  const cardWidth = Math.min(diagramSizes.card.widest, side);
  const cards = Array.from({ length: count }, (_, at) => {
    const isStart = at < atStart;
    const inRow = isStart ? at : at - atStart;
    const total = isStart ? atStart : count - atStart;
    const y = height / 2 + (inRow - (total - 1) / 2) * rowHeight - diagramSizes.card.height / 2;
    const bend = getBend(inRow, total) * Math.min(90, side - cardWidth);
    const x = isStart ? diagramSizes.edge + bend : width - diagramSizes.edge - cardWidth - bend;
    return { x, y, width: cardWidth };
  });
  const middle = { x: width / 2, y: ownY + diagramSizes.own.height / 2 };
  const lines = cards.map(({ x, y }, at) => {
    const end = { x: at < atStart ? x + cardWidth : x, y: y + diagramSizes.card.height / 2 };
    const half = (middle.x + end.x) / 2;
    return `M${middle.x} ${middle.y} C${half} ${middle.y} ${half} ${end.y} ${end.x} ${end.y}`;
  });
  return { height, own, cards, lines, trunk: null };
}
/**
 * Returns the offset towards the middle for the upper and lower cards of a side: 0 for the middle card, 1 for the
 * outermost.
 */
const getBend = (at: number, total: number): number =>
  total < 3 ? 0 : ((at - (total - 1) / 2) / ((total - 1) / 2)) ** 2;

const indent = 40;
function layoutTree(count: number, width: number): DiagramLayout {
  const own = { x: 0, y: 0 };
  const top = diagramSizes.own.height + 2 * diagramSizes.gap;
  const cards = Array.from({ length: count }, (_, at) => ({
    x: indent,
    y: top + at * rowHeight,
    width: width - indent,
  }));
  const middles = cards.map(({ y }) => y + diagramSizes.card.height / 2);
  const at = indent / 2;
  const turn = 10;
  return {
    height: top + count * rowHeight,
    own,
    cards,
    lines: middles.map((middle) => `M${at} ${middle - turn} q0 ${turn} ${turn} ${turn} H${indent}`),
    trunk: `M${at} ${diagramSizes.own.height} V${(middles.at(-1) ?? diagramSizes.own.height) - turn}`,
  };
}
