import type { CephDrawing } from "@arcada/contract/ceph/ceph.shape";
import type { PdfDrawing, PdfPicture, PdfShape } from "./pdf.ts";

// The colours are readable on dark bone and on the bright background of a film alike.
const markColour = "#f76707";
const colours = { bone: "#ffd43b", tooth: "#8ce99a", skin: "#74c0fc", plane: "#ff8787" } as const;

/** Draws a tracing over its upright film, as large as permitted, in points. */
export function tracingBlock(
  { height, lines, marks }: CephDrawing,
  most: { width: number; height: number },
  under: PdfPicture | null,
): PdfDrawing {
  const scale = Math.min(most.width, most.height / height);
  const at = ([x, y]: readonly [number, number]) => [x * scale, y * scale] as const;
  const shapes: PdfShape[] = [
    ...lines.map(({ tissue, points }) => ({
      path: `M${points
        .map((point) =>
          at(point)
            .map((side) => side.toFixed(2))
            .join(" "),
        )
        .join(" L")}`,
      stroke: colours[tissue],
      line: tissue === "plane" ? 0.5 : 0.9,
      ...(tissue === "plane" && { dash: 3 }),
    })),
    ...marks.flatMap((mark): PdfShape[] => {
      const [x, y] = at(mark.at);
      return [
        {
          path: `M${x - 1.4} ${y} a1.4 1.4 0 1 0 2.8 0 a1.4 1.4 0 1 0 -2.8 0`,
          fill: "#ffffff",
          stroke: "#1b2430",
          line: 0.4,
        },
        { text: mark.sign, x: x + 7, y: y - 3, size: 5.5, colour: markColour },
      ];
    }),
  ];
  return { kind: "drawing", width: scale, height: height * scale, shapes, ...(under && { under }) };
}
