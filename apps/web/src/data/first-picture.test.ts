import { afterEach, expect, it, vi } from "vitest";

afterEach(() => void vi.useRealTimers());

/** The module as a new page has it, and whether the app may start by now. */
async function openPage() {
  vi.useFakeTimers();
  vi.resetModules();
  const { announceFirstPicture, waitForFirstPicture } = await import("./first-picture.ts");
  const mayStart = async () => {
    await vi.advanceTimersByTimeAsync(0);
    return Promise.race([waitForFirstPicture().then(() => true), Promise.resolve().then(() => false)]);
  };
  return { announceFirstPicture, mayStart };
}

it("starts the app of a page that has no first picture at once", async () => {
  const { mayStart } = await openPage();
  expect(await mayStart()).toBe(true);
});

it("starts the app once the first picture is shown or has failed", async () => {
  for (const end of ["resolve", "reject"] as const) {
    const { announceFirstPicture, mayStart } = await openPage();
    const picture = Promise.withResolvers<void>();
    announceFirstPicture(picture.promise);
    expect(await mayStart()).toBe(false);
    picture[end]();
    expect(await mayStart()).toBe(true);
  }
});

it("starts the app after a while without the first picture", async () => {
  const { announceFirstPicture, mayStart } = await openPage();
  announceFirstPicture(new Promise(() => {}));
  await vi.advanceTimersByTimeAsync(1400);
  expect(await mayStart()).toBe(false);
  await vi.advanceTimersByTimeAsync(200);
  expect(await mayStart()).toBe(true);
});
