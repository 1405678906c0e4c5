import sharp from "sharp";

/** Creates a logo on a transparent background, as an organisation has it. */
export async function createLogo(colour: string): Promise<ChosenFile> {
  const ground = { width: 306, height: 102, channels: 4, background: { r: 0, g: 0, b: 0, alpha: 0 } } as const;
  const shape = Buffer.from(
    `<svg width="306" height="102"><path d="M30 20h60v62H30zM110 36h170v12H110zM110 60h120v12H110z" fill="${colour}"/></svg>`,
  );
  const buffer = await sharp({ create: ground })
    .composite([{ input: shape }])
    .png()
    .toBuffer();
  return { name: `logo-${colour.slice(1)}.png`, mimeType: "image/png", buffer };
}

export interface ChosenFile {
  name: string;
  mimeType: string;
  buffer: Buffer;
}
