/** Settings for drawing the content of a viewport again on a separate canvas. */
export interface SnapshotOptions {
  /** Device pixels for each CSS pixel. */
  scale: number;
  /**
   * Draws the content of the viewport's canvases at this scale; without it they are copied as they are on the screen.
   */
  repaint?: (scale: number) => HTMLCanvasElement;
  /** The lines of text below the image that identify it later. */
  caption: readonly string[];
}

// Icons on buttons are not part of an image.
const drawingSelector = "canvas, img[data-drawing], svg:not(button svg, [role=toolbar] svg)";

/** The images and drawings of a viewport with a caption below, without its buttons. */
export async function renderSnapshot(
  viewportElement: HTMLElement,
  { scale, repaint, caption }: SnapshotOptions,
): Promise<HTMLCanvasElement> {
  const bounds = viewportElement.getBoundingClientRect();
  const [width, height] = [Math.round(bounds.width * scale), Math.round(bounds.height * scale)];
  const line = Math.round(18 * scale);
  const sheet = document.createElement("canvas");
  sheet.width = width;
  sheet.height = height + caption.length * line + (caption.length > 0 ? line : 0);
  const context = sheet.getContext("2d");
  if (!context) throw new Error("no canvas to draw on");
  context.fillStyle = "black";
  context.fillRect(0, 0, sheet.width, sheet.height);
  context.save();
  context.beginPath();
  context.rect(0, 0, width, height);
  context.clip();
  if (repaint) context.drawImage(repaint(scale), 0, 0, width, height);
  const renderedCanvas = repaint ? viewportElement.querySelector("canvas") : null;
  for (const part of viewportElement.querySelectorAll<HTMLCanvasElement | HTMLImageElement | SVGSVGElement>(
    drawingSelector,
  )) {
    if (part === renderedCanvas) continue;
    const at = part instanceof HTMLImageElement ? fitImageInBox(part) : part.getBoundingClientRect();
    const image = part instanceof SVGSVGElement ? await rasterizeSvg(part, at, scale) : part;
    drawTurned(context, image, {
      left: (at.left - bounds.left) * scale,
      top: (at.top - bounds.top) * scale,
      width: at.width * scale,
      height: at.height * scale,
    });
  }
  context.restore();
  drawCaption(context, caption, height, line);
  return sheet;
}

/** Draws an image into its place on the page, with the quarter turns of its `data-turned`. */
function drawTurned(
  context: CanvasRenderingContext2D,
  image: HTMLCanvasElement | HTMLImageElement,
  { left, top, width, height }: Rectangle,
): void {
  const turns = getTurns(image);
  const [across, down] = turns % 2 === 0 ? [width, height] : [height, width];
  context.save();
  context.translate(left + width / 2, top + height / 2);
  context.rotate((turns * Math.PI) / 2);
  context.drawImage(image, -across / 2, -down / 2, across, down);
  context.restore();
}

const getTurns = ({ dataset }: HTMLElement): number => Number(dataset["turned"] ?? 0);

type Rectangle = Pick<DOMRect, "left" | "top" | "width" | "height">;

/** Returns the rectangle of an image in its box if all of it is shown. */
function fitImageInBox(image: HTMLImageElement): Rectangle {
  const box = image.getBoundingClientRect();
  const isOnSide = getTurns(image) % 2 === 1;
  const [across, down] = isOnSide
    ? [image.naturalHeight, image.naturalWidth]
    : [image.naturalWidth, image.naturalHeight];
  const scale = Math.min(box.width / across, box.height / down);
  const [width, height] = [across * scale, down * scale];
  return { left: box.left + (box.width - width) / 2, top: box.top + (box.height - height) / 2, width, height };
}

function drawCaption(context: CanvasRenderingContext2D, caption: readonly string[], top: number, line: number): void {
  context.fillStyle = "white";
  context.font = `${Math.round(line * 0.7)}px ${getComputedStyle(document.body).fontFamily}`;
  context.textBaseline = "middle";
  caption.forEach((text, at) => context.fillText(text, line / 2, top + line * (at + 1), context.canvas.width - line));
}

/** Renders a drawing as an image. Styles belong to the page: outside of it a drawing needs them inline. */
async function rasterizeSvg(
  svg: SVGSVGElement,
  { width, height }: Rectangle,
  scale: number,
): Promise<HTMLImageElement> {
  const copy = svg.cloneNode(true) as SVGSVGElement;
  const originals = svg.querySelectorAll("*");
  copy.querySelectorAll("*").forEach((part, at) => {
    const style = getComputedStyle(originals[at]!);
    for (const name of inlinedStyles) part.setAttribute(name, style.getPropertyValue(name));
    part.removeAttribute("class");
  });
  copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
  copy.setAttribute("viewBox", `0 0 ${width} ${height}`);
  copy.setAttribute("width", String(width * scale));
  copy.setAttribute("height", String(height * scale));
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(new XMLSerializer().serializeToString(copy))}`;
  await image.decode();
  return image;
}

const inlinedStyles = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-opacity",
  "stroke-dasharray",
  "stroke-linecap",
  "font-family",
  "font-size",
  "font-weight",
  "paint-order",
  "opacity",
  "visibility",
  "display",
  "text-anchor",
  "dominant-baseline",
] as const;
