import type { Locator } from "playwright-core";
import { expect } from "vitest";
import { screens } from "@arcada/contract/screens";
import type { Person } from "./person.ts";
import { boxOf } from "./pixels.ts";

/** Drags the patient's only radiograph into the first place of the mount by touch; it is still there after a reload. */
export async function placesFilm(person: Person, patient: string): Promise<void> {
  const { page } = person;
  await person.goes(`${screens.filmMount.path}?patient=${patient}`);
  const place = page.locator('[data-place]:not([data-place=""])').first();
  const loose = page.getByRole("list", { name: person.t("viewer.mount.loose") }).getByRole("button");
  await loose.first().waitFor();
  expect(await place.locator("img").count()).toBe(0);
  await dragsByFinger(loose.first(), place);
  await place.locator("img").waitFor();
  await person.sees(person.text("viewer.mount.allPlaced"));
  // The help text is shown while no save is under way.
  await person.sees(person.text("viewer.mount.help"));
  await page.reload();
  await place.locator("img").waitFor();
}

interface Point {
  x: number;
  y: number;
}
async function dragsByFinger(from: Locator, to: Locator): Promise<void> {
  const [start, end] = [middleOf(await boxOf(from)), middleOf(await boxOf(to))];
  const fingers = await from.page().context().newCDPSession(from.page());
  const touches = (type: "touchStart" | "touchMove" | "touchEnd", touchPoints: Point[]) =>
    fingers.send("Input.dispatchTouchEvent", { type, touchPoints });
  await touches("touchStart", [start]);
  for (const share of [0.2, 0.4, 0.6, 0.8, 1])
    await touches("touchMove", [{ x: start.x + (end.x - start.x) * share, y: start.y + (end.y - start.y) * share }]);
  await touches("touchEnd", []);
  await fingers.detach();
}

const middleOf = ({ x, y, width, height }: Point & { width: number; height: number }): Point => ({
  x: x + width / 2,
  y: y + height / 2,
});
