import type { Locator } from "playwright-core";
import type { Person } from "./person.ts";
import { isDrawn } from "./pixels.ts";

const axialOf = ({ page, t }: Person): Locator =>
  page.getByRole("group", { name: t("viewer.plane.axial"), exact: true });

/** Opens a volume of 1.3 MB where 640 kB are its share, and takes the graphics away for a moment. */
export async function comesCoarse(person: Person, address: string): Promise<void> {
  await person.page.addInitScript(() => Object.defineProperty(navigator, "deviceMemory", { get: () => 0.01 }));
  await person.goes(address);
  await person.sees(person.text("viewer.stage.full"));
  await person.sees(person.text("viewer.coarse", { factor: 2 }));
  await isDrawn(axialOf(person));
  await losesGraphics(person);
  await person.sees(person.text("viewer.contextLost"));
  await person.text("viewer.contextLost").waitFor({ state: "detached" });
  await isDrawn(axialOf(person));
}

/**
 * Opens a volume of 96 × 96 × 72 with less graphics memory available, and later less again: the viewer reports it and
 * shows a coarser volume.
 */
export async function outgrowsGraphics(person: Person, address: string, looks: () => Promise<void>): Promise<void> {
  const { page, t } = person;
  await page.addInitScript(graphicsWithRoomFor, 300_000);
  await person.goes(address);
  const told = page.getByRole("alert").filter({ hasText: t("viewer.failed.memory") });
  const axial = axialOf(person);
  await person.sees(told);
  await person.sees(person.text("viewer.stage.preview"));
  await isDrawn(axial);
  await looks();
  await person.button("viewer.again").click();
  await person.sees(person.text("viewer.stage.full"));
  await person.sees(person.text("viewer.coarse", { factor: 2 }));
  await isDrawn(axial);
  // Less is left when the graphics come back.
  await page.evaluate(graphicsWithRoomFor, 50_000);
  await losesGraphics(person);
  await person.sees(told);
  await isDrawn(axial);
  await person.button("viewer.again").click();
  await person.sees(person.text("viewer.coarse", { factor: 4 }));
  await told.waitFor({ state: "detached" });
  await isDrawn(axial);
}

/** As a browser takes the graphics from a page that it has too many of. */
const losesGraphics = ({ page }: Person): Promise<void> =>
  page.evaluate(() =>
    document.querySelector("canvas")?.getContext("webgl2")?.getExtension("WEBGL_lose_context")?.loseContext(),
  );

/** Textures in three dimensions of more voxels than this are refused as a full graphics memory refuses them. */
function graphicsWithRoomFor(voxels: number): void {
  const shared = globalThis as { room?: number };
  const isChanged = shared.room !== undefined;
  shared.room = voxels;
  if (isChanged) return;
  type Store = (this: WebGL2RenderingContext, ...numbers: [number, number, number, number, number, number]) => void;
  type Tell = (this: WebGL2RenderingContext) => number;
  const own = (name: string) =>
    Object.getOwnPropertyDescriptor(WebGL2RenderingContext.prototype, name)!.value as unknown;
  const [store, tell] = [own("texStorage3D") as Store, own("getError") as Tell];
  const full = new WeakSet<WebGL2RenderingContext>();
  const texStorage3D: Store = function (...numbers) {
    const [, , , width, height, depth] = numbers;
    if (width * height * depth > (shared.room ?? 0)) full.add(this);
    else Reflect.apply(store, this, numbers);
  };
  const getError: Tell = function () {
    return full.delete(this) ? this.OUT_OF_MEMORY : Reflect.apply(tell, this, []);
  };
  Object.assign(WebGL2RenderingContext.prototype, { texStorage3D, getError });
}
