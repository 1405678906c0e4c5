import { describe, expect, it } from "vitest";
import { layoutDiagram, diagramSizes } from "./diagram-layout.ts";

const overlaps = (count: number, width: number): number => {
  const { cards, own } = layoutDiagram(count, width);
  const boxes = [
    ...cards.map((card) => ({ ...card, height: diagramSizes.card.height })),
    { ...own, ...diagramSizes.own, width: Math.min(width, diagramSizes.own.width) },
  ];
  return boxes.flatMap((one, at) =>
    boxes
      .slice(at + 1)
      .filter(
        (other) =>
          one.x < other.x + other.width &&
          other.x < one.x + one.width &&
          one.y < other.y + other.height &&
          other.y < one.y + one.height,
      ),
  ).length;
};

describe("the partner diagram", () => {
  it.each([320, 358, 759, 760, 860, 1160, 1500])(
    "has no overlapping cards at %i pixels, with up to 60 partners",
    (width) => {
      for (const count of [1, 2, 3, 7, 12, 25, 60]) {
        expect(overlaps(count, width), `${count} partners`).toBe(0);
        const { cards, height, lines } = layoutDiagram(count, width);
        for (const card of cards) {
          expect(card.x).toBeGreaterThanOrEqual(0);
          expect(card.x + card.width).toBeLessThanOrEqual(width);
          expect(card.y).toBeGreaterThanOrEqual(0);
          expect(card.y + diagramSizes.card.height).toBeLessThanOrEqual(height);
        }
        expect(lines).toHaveLength(count);
      }
    },
  );
});
