import { beforeEach, expect, it, vi } from "vitest";
import type { Annotation } from "@arcada/contract/study/annotation";
import { send } from "../../../data/ask.ts";
import { NoResponseError } from "../../../data/call-errors.ts";
import { AnnotationSaver } from "../../annotations/store/annotation-saver.ts";
import { reloadIfServed } from "./lazy-form.tsx";

vi.mock("../../../data/ask.ts", () => ({ send: vi.fn<typeof send>() }));
vi.mock("../../../i18n/texts.ts", () => ({ useTexts: () => (key: string) => key }));

const server = vi.mocked(send);
const reload = vi.fn<() => void>();
const serve = (status: number) => vi.stubGlobal("fetch", () => Promise.resolve(new Response(null, { status })));

function changeMeasurements() {
  const saver = new AnnotationSaver("study", 1, () => {});
  saver.schedule([{ id: "a" } as Annotation]);
  return saver;
}

beforeEach(() => {
  reload.mockReset();
  server.mockReset();
  vi.stubGlobal("location", { href: "https://clinic.example/CT3DWebView", reload });
});

it("saves the measurements before it loads the page anew", async () => {
  serve(200);
  server.mockImplementation(() => {
    expect(reload).not.toHaveBeenCalled();
    return Promise.resolve({ version: 2 });
  });
  const saver = changeMeasurements();
  expect(await reloadIfServed()).toBe("reloading");
  expect(server).toHaveBeenCalledOnce();
  expect(reload).toHaveBeenCalledOnce();
  saver.close();
});

it.each([
  ["its measurements cannot be saved", 200, "unsaved"],
  ["its server is away", 503, "away"],
] as const)("keeps a page if %s", async (_, status, result) => {
  serve(status);
  server.mockRejectedValue(new NoResponseError(false, null));
  const saver = changeMeasurements();
  expect(await reloadIfServed()).toBe(result);
  expect(reload).not.toHaveBeenCalled();
  saver.close();
});
