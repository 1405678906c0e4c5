import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { screens } from "@arcada/contract/screens";
import type { BrowserUser } from "../support/browser-user.ts";
import { getBox } from "../support/screen-pixels.ts";

/** Drags the patient's only radiograph into the first place of the mount by touch; it is still there after a reload. */
export async function placeRadiograph(person: BrowserUser, patient: string): Promise<void> {
  const { page } = person;
  await person.goTo(`${screens.filmMount.path}?patient=${patient}`);
  const place = page.locator('[data-place]:not([data-place=""])').first();
  const loose = page.getByRole("list", { name: person.t("viewer.mount.loose") }).getByRole("button");
  await loose.first().waitFor();
  expect(await place.locator("img").count()).toBe(0);
  await dragByTouch(loose.first(), place);
  await place.locator("img").waitFor();
  await person.waitFor(person.text("viewer.mount.allPlaced"));
  // The help text is shown while no save is under way.
  await person.waitFor(person.text("viewer.mount.help"));
  await page.reload();
  await place.locator("img").waitFor();
}

interface Point {
  x: number;
  y: number;
}
async function dragByTouch(from: Locator, to: Locator): Promise<void> {
  const [start, end] = [centreOf(await getBox(from)), centreOf(await getBox(to))];
  const fingers = await from.page().context().newCDPSession(from.page());
  const sendTouch = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  await sendTouch("touchStart", [start]);
  for (const share of [0.2, 0.4, 0.6, 0.8, 1])
    await sendTouch("touchMove", [{ x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share }]);
  await sendTouch("touchEnd", []);
  await fingers.detach();
}

const centreOf = ({ x, y, width, height }: Point & { width: number; height: number }): Point => ({
  x: x + width / 2,
  y: y + height / 2,
});
