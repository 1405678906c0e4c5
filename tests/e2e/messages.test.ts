import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { accountCalls } from "@arcada/contract/account/account.calls";
import { refusals } from "@arcada/contract/kernel/refusals";
import { launchBrowser } from "../browser.ts";
import { goodPassword as password, solved } from "../human.ts";
import { Product } from "../product.ts";
import { keepsFailures } from "./looking.ts";
import { Person, isBrief } from "./person.ts";
import type { Language } from "./words.ts";

const product = new Product();
let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
  await product.register("known@messages.test", "clinicManager");
  for (const language of ["zh", "en"]) await product.register(`victim-${language}@messages.test`, "clinicManager");
});
keepsFailures("messages", () => browser);
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

const known = "known@messages.test";
/** In place of a value that nobody knows beforehand: the words before it are enough. */
const cut = "\u0000";
const victim = (person: Person) => `victim-${person.language}@messages.test`;
const newcomer = (person: Person) => `newcomer-${person.language}@messages.test`;

/** A message and the steps that lead to it. Each row continues from the end of the one before. */
type Row = [key: string, reach: (person: Person) => Promise<void>, values?: (person: Person) => Record<string, string>];

const types = (fields: Record<string, string>) => async (person: Person) => {
  for (const [name, value] of Object.entries(fields))
    await person.page.locator(`input[name=${name}]`).last().fill(value);
};
const signsInAs = (account: string, secret: string) => async (person: Person) => {
  await types({ account })(person);
  await types({ password: secret })(person);
  await person.button("account.signIn").click();
};
const opens =
  (path: string, ...then: ((person: Person) => Promise<void>)[]) =>
  async (person: Person) => {
    await person.goes(path);
    for (const step of then) await step(person);
  };
const presses = (key: string) => (person: Person) => person.button(key).first().click();
const byCode = (person: Person) => person.text("account.byCode").click();

const refusesCookies: Row[] = ["/login", "/register", "/forgot"].map((path) => [
  "account.cookiesRefused",
  async (person) => {
    await opens(path, presses("account.cookiesRefuse"))(person);
    expect(await person.page.locator("input[name=account]").isDisabled(), path).toBe(true);
  },
]);

const atTheDoor: Row[] = [
  ["common.field.accountEmpty", opens("/login", presses("account.cookiesAccept"), presses("account.signIn"))],
  ["common.field.passwordEmpty", async () => {}],
  ["common.field.accountShape", types({ account: "somebody" })],
  ["common.field.phoneShape", types({ account: "139-1234-5678" })],
  ["common.field.emailShape", types({ account: "somebody@nowhere" })],
  ["common.field.accountUnknown", signsInAs("nobody@messages.test", password)],
  ["account.registerWith", async () => {}, () => ({ account: "nobody@messages.test" })],
  ["common.field.wrongPassword", (person) => signsInAs(victim(person), "not-the-password-1")(person)],
  [
    "refusals.humanNeeded",
    async (person) => {
      for (const guess of ["not-the-password-2", "not-the-password-3", "not-the-password-4"]) {
        const answered = person.page.waitForResponse("**/v1/base/login");
        await signsInAs(victim(person), guess)(person);
        await answered;
      }
    },
  ],
  ["account.human", async () => {}],
  ["common.field.codeEmpty", opens("/login", byCode, presses("account.signIn"))],
  ["common.field.codeShape", types({ account: known, code: "123" })],
  [
    "refusals.codeTooSoon",
    async (person) => {
      // However long ago the last one was.
      const human = await solved(await product.gets(accountCalls.humanChallenge, {}));
      await product.ask(accountCalls.sendCode, { account: victim(person), purpose: "login", human });
      await types({ account: victim(person), code: "" })(person);
      await presses("account.getCode")(person);
    },
    () => ({ seconds: cut }),
  ],
  [
    "common.field.codeWrong",
    async (person) => {
      await types({ code: "000000" })(person);
      await presses("account.signIn")(person);
    },
  ],
];

const registering: Row[] = [
  ["common.field.accountTaken", opens("/register", types({ account: known }), presses("account.getCode"))],
  ["account.signInWith", async () => {}, () => ({ label: known })],
  [
    "account.codeSent",
    async (person) => {
      await types({ account: newcomer(person) })(person);
      await presses("account.getCode")(person);
    },
  ],
  [
    "common.field.roleNeeded",
    async (person) => {
      // The account outlives a reload, and so does the time until the next code.
      await person.page.reload();
      const account = person.page.locator("input[name=account]");
      await expect.poll(() => account.inputValue()).toBe(newcomer(person));
      expect(await person.button("account.getCode").count()).toBe(0);
      await types({ code: product.codeFor(newcomer(person)) })(person);
      await presses("common.next")(person);
      await presses("account.register")(person);
    },
  ],
  ["common.field.agreeNeeded", async () => {}],
  ["common.field.passwordShort", types({ password: "12345" })],
  ["common.field.passwordsDiffer", types({ password: "123456", confirm: "654321" })],
  [
    "refusals.passwordCommon",
    async (person) => {
      await types({ confirm: "123456" })(person);
      await person.page.getByRole("radio", { name: person.t("account.role.dentist") }).check();
      await person.page.locator("input[name=agree]").check();
      await person.page.locator("input[name=agreeSms]").check();
      await presses("account.register")(person);
    },
  ],
  ["account.strengthOf.4", types({ password: password, confirm: password })],
  ["common.said.registered", presses("account.register")],
  ["account.completion.tip", async () => {}],
  [
    "common.field.nameNeeded",
    async (person) => {
      await person.page.keyboard.press("Escape");
      await presses("account.completion.begin")(person);
      await types({ userName: " " })(person);
      await presses("account.completion.submit")(person);
    },
  ],
  ["account.countryOnce", async () => {}],
  [
    "account.completion.done",
    async (person) => {
      await types({ userName: "李娜" })(person);
      await presses("account.completion.submit")(person);
    },
  ],
];

const inside: Row[] = [
  [
    "refusals.avatarUnreadable",
    async (person) => {
      const text = { name: "face.png", mimeType: "image/png", buffer: Buffer.from("<svg onload=alert(1)>") };
      await person.page.locator("input[type=file]").setInputFiles(text);
    },
  ],
  [
    "common.field.wrongPassword",
    async (person) => {
      await types({
        oldPassword: "not-mine",
        password: password,
        confirm: password,
      })(person);
      await presses("account.changePassword")(person);
    },
  ],
  [
    "account.passwordChanged",
    async (person) => {
      await types({ oldPassword: password })(person);
      await presses("account.changePassword")(person);
    },
  ],
];

const whoIAm = "**/v1/user/getUserInfo";
const ended = (["unknownSession", "signedOutElsewhere", "sessionExpired"] as const).flatMap((name): Row[] => [
  [
    "shell.signInAgainText",
    async (person) => {
      await person.goes("/profile/index");
      const { code, status } = refusals[name];
      await person.page.route(
        "**/v1/user/setSelfInfo",
        (route) => route.fulfill({ status, json: { code, msg: person.t(`refusals.${name}`), data: null } }),
        { times: 1 },
      );
      await types({ nickName: "What I typed" })(person);
      await presses("common.save")(person);
    },
  ],
  [
    `refusals.${name}`,
    async (person) => {
      await person.page
        .getByRole("dialog")
        .getByRole("button", { name: person.t("common.cancel") })
        .click();
      expect(await person.page.locator("input[name=nickName]").inputValue()).toBe("What I typed");
    },
  ],
]);
/** The messages on the sign-in page for a user who was sent back there. */
const failedInfo = (
  [
    ["common.verificationFailed", { code: 200, msg: "", data: null }],
    ["common.noRoles", { code: 200, msg: "", data: { id: "0", roles: [] } }],
    ["common.hasError", { code: 49999, msg: "", data: null }],
  ] as const
).map(([key, body]): Row => [
  key,
  async (person) => {
    await person.page.unroute(whoIAm);
    if (person.page.url().includes("/login")) {
      await signsInAs(newcomer(person), password)(person);
      await person.page.waitForURL("**/profile/index");
    }
    // As a server of another mind might answer, however often the page asks.
    await person.page.route(whoIAm, (route) => route.fulfill({ json: body }));
    await person.goes("/profile/index");
  },
]);

// In CI once only: another test checks that each language has every text.
for (const language of isBrief ? (["zh"] as const) : (["zh", "en"] as const))
  it(`says everything about accounts in ${language === "zh" ? "Chinese" : "English"} where it happens`, async () => {
    const person = await Person.sitsDown(browser, product.address, language);
    for (const [key, reach, values] of [
      ...refusesCookies,
      ...atTheDoor,
      ...registering,
      ...inside,
      ...ended,
      ...failedInfo,
    ]) {
      await reach(person).catch((error: unknown) =>
        Promise.reject(new Error(`on the way to ${key}`, { cause: error })),
      );
      const [said = ""] = person.t(key, values?.(person)).split(cut);
      await person.page
        .getByText(said)
        .first()
        .waitFor({ timeout: 15_000 })
        .catch(() => Promise.reject(new Error(`nobody said ${key}: ${said}`)));
    }
    await forgets(person, language);
    expect(person.complaints.filter((one) => !/status of 4\d\d/.test(one))).toEqual([]);
    await person.leaves();
  });

async function forgets(person: Person, language: Language): Promise<void> {
  const account = `newcomer-${language}@messages.test`;
  const asks = opens("/forgot", types({ account }), presses("account.getCode"));
  await asks(person);
  await person.sees(person.page.getByText(person.t("account.codeSent"), { exact: true }));
  // The server refuses a second code within a minute also where the browser has forgotten that one was sent.
  await person.page.evaluate(() => localStorage.clear());
  await asks(person);
  await person.sees(person.page.getByText(person.t("refusals.codeTooSoon", { seconds: cut }).split(cut)[0]!));
}
