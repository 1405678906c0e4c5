import type { Locator } from "playwright-core";
import type { BrowserUser } from "../support/browser-user.ts";
import { waitUntilDrawn } from "../support/screen-pixels.ts";

const axialViewport = ({ page, t }: BrowserUser): Locator =>
  page.getByRole("group", { name: t("viewer.plane.axial"), exact: true });

/** Opens a volume of 1.3 MB with a share of 640 kB of graphics memory, and loses the graphics context for a moment. */
export async function checkCoarseVolume(person: BrowserUser, address: string): Promise<void> {
  await person.page.addInitScript(() => Object.defineProperty(navigator, "deviceMemory", { get: () => 0.01 }));
  await person.goTo(address);
  await person.waitFor(person.text("viewer.stage.full"));
  await person.waitFor(person.text("viewer.coarse", { factor: 2 }));
  await waitUntilDrawn(axialViewport(person));
  await loseWebGlContext(person);
  await person.waitFor(person.text("viewer.contextLost"));
  await person.text("viewer.contextLost").waitFor({ state: "detached" });
  await waitUntilDrawn(axialViewport(person));
}

/**
 * Opens a volume of 96 × 96 × 72 with less graphics memory available, and later less again: the viewer reports it and
 * shows a coarser volume.
 */
export async function checkGraphicsMemoryLimit(
  person: BrowserUser,
  address: string,
  checkPage: () => Promise<void>,
): Promise<void> {
  const { page, t } = person;
  await page.addInitScript(limitGraphicsMemory, 300_000);
  await person.goTo(address);
  const alert = page.getByRole("alert").filter({ hasText: t("viewer.failed.memory") });
  const axial = axialViewport(person);
  await person.waitFor(alert);
  await person.waitFor(person.text("viewer.stage.preview"));
  await waitUntilDrawn(axial);
  await checkPage();
  await person.button("viewer.again").click();
  await person.waitFor(person.text("viewer.stage.full"));
  await person.waitFor(person.text("viewer.coarse", { factor: 2 }));
  await waitUntilDrawn(axial);
  // Less is left when the graphics come back.
  await page.evaluate(limitGraphicsMemory, 50_000);
  await loseWebGlContext(person);
  await person.waitFor(alert);
  await waitUntilDrawn(axial);
  await person.button("viewer.again").click();
  await person.waitFor(person.text("viewer.coarse", { factor: 4 }));
  await alert.waitFor({ state: "detached" });
  await waitUntilDrawn(axial);
}

/** Loses the graphics context, as in a browser that has too many of them. */
const loseWebGlContext = ({ page }: BrowserUser): Promise<void> =>
  page.evaluate(() =>
    document.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext(),
  );

/** Textures in three dimensions of more voxels than this are refused as a full graphics memory refuses them. */
function limitGraphicsMemory(voxels: number): void {
  const shared = globalThis as { voxelLimit?: number };
  const isChanged = shared.voxelLimit !== undefined;
  shared.voxelLimit = voxels;
  if (isChanged) return;
  type TexStorage = (
    this: WebGL2RenderingContext,
    ...numbers: [number, number, number, number, number, number]
  ) => void;
  type GetError = (this: WebGL2RenderingContext) => number;
  const prototypeMethod = (name: string) =>
    Object.getOwnPropertyDescriptor(WebGL2RenderingContext.prototype, name)!.value as unknown;
  const [originalTexStorage, originalGetError] = [
    prototypeMethod("texStorage3D") as TexStorage,
    prototypeMethod("getError") as GetError,
  ];
  const full = new WeakSet<WebGL2RenderingContext>();
  const texStorage3D: TexStorage = function (...numbers) {
    const [, , , width, height, depth] = numbers;
    if (width * height * depth > (shared.voxelLimit ?? 0)) full.add(this);
    else Reflect.apply(originalTexStorage, this, numbers);
  };
  const getError: GetError = function () {
    return full.delete(this) ? this.OUT_OF_MEMORY : Reflect.apply(originalGetError, this, []);
  };
  Object.assign(WebGL2RenderingContext.prototype, { texStorage3D, getError });
}
