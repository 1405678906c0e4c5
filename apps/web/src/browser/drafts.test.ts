import { beforeEach, expect, it, vi } from "vitest";
import { fakeBrowser } from "./fake-browser.ts";

const session: Record<string, string> = {};
beforeEach(() => {
  for (const key of Object.keys(session)) delete session[key];
  fakeBrowser();
  // Like a browser's storage, it lists its entries as its own properties.
  const storage = Object.create(
    {
      getItem: (key: string) => session[key] ?? null,
      setItem: (key: string, value: string) => void (session[key] = value),
      removeItem: (key: string) => void delete session[key],
    },
    {},
  ) as Storage;
  vi.stubGlobal(
    "sessionStorage",
    new Proxy(storage, {
      ownKeys: () => Object.keys(session),
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    }),
  );
});
const start = { name: "", habits: [] as string[], sex: null as string | null };
const kept = async () => ({ ...(await import("./drafts.ts")), ...(await import("./session-lifecycle.ts")) });

it("restores a draft field by field, as far as the form still has the fields", async () => {
  const { saveDraft: keepDraft, readDraft } = await kept();
  expect(readDraft("patient", start)).toBeNull();
  keepDraft("patient", { name: "王小明", habits: "none", sex: "male", gone: 1 });
  expect(readDraft("patient", start)).toEqual({ name: "王小明", habits: [], sex: "male" });
});
it("keeps a draft after an expired session, but not after a sign-out", async () => {
  const { saveDraft: keepDraft, readDraft, clearSession: forgetSession, endSession: leaveSession } = await kept();
  document.cookie = "userId=7; Path=/";
  keepDraft("patient", { name: "王小明" });
  forgetSession();
  document.cookie = "userId=7; Path=/";
  expect(readDraft("patient", start)).toMatchObject({ name: "王小明" });
  leaveSession();
  expect(session).toEqual({});
});
it("hides a draft from another user and deletes it from the tab", async () => {
  const { saveDraft: keepDraft, readDraft } = await kept();
  document.cookie = "userId=7; Path=/";
  keepDraft("patient", { name: "王小明" });
  document.cookie = "userId=8; Path=/";
  expect(readDraft("patient", start)).toBeNull();
  expect(session).toEqual({});
});
