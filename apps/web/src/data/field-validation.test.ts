import { beforeAll, describe, expect, it } from "vitest";
import { signInCalls } from "@arcada/contract/account/sign-in.calls";
import { registrationCalls } from "@arcada/contract/account/registration.calls";
import { institutionCalls } from "@arcada/contract/institution/institution.calls";
import texts from "@arcada/texts/en/common.json" with { type: "json" };
import { configureZod, translateFieldMessage, validateInput } from "./field-validation.ts";
import { translate } from "../i18n/translate.ts";

const t = (key: string, values = {}) => translate({ common: texts }, "en", key, values);
const said = (problems: Record<string, string>) =>
  Object.fromEntries(Object.entries(problems).map(([field, key]) => [field, translateFieldMessage(t, key)]));
beforeAll(configureZod);

describe("the messages beside the fields", () => {
  it("name an empty account, a phone number with letters and an incomplete email address at sign-in", () => {
    const problem = (account: string) => said(validateInput(signInCalls.login, { account, password: "x" }))["account"];
    expect(problem("")).toBe("Please enter your phone number or email address");
    expect(problem("138a")).toBe("Please enter a correct phone number (digits only)");
    expect(problem("lin@clinic")).toBe("Please enter a valid email address");
    expect(problem("lin@clinic.example")).toBeUndefined();
  });
  it("name different passwords and missing consent at registration", () => {
    const input = {
      ticket: "t",
      password: "abcdef",
      confirm: "abcdeg",
      intendedRole: "dentist",
      nickName: "Lin",
      nation: "CN",
      agree: true,
    };
    expect(said(validateInput(registrationCalls.register, input))).toEqual({
      confirm: "The two passwords do not match",
    });
    expect(said(validateInput(registrationCalls.register, { ...input, confirm: "abcdef", agree: false }))).toEqual({
      agree: "Please read and agree first",
    });
  });
  it("name an empty or too long value of any field", () => {
    const make = (name: string) =>
      said(validateInput(institutionCalls.create, { name, type: "clinic", country: "CN" }));
    expect(make(" ")).toEqual({ name: "Please fill this in" });
    expect(make("x".repeat(121))).toEqual({ name: "At most 120 characters" });
  });
  it("translate a key from the server and keep its other texts", () => {
    expect(translateFieldMessage(t, "emailShape")).toBe("Please enter a valid email address");
    expect(translateFieldMessage(t, "该账号已注册，可直接登录。")).toBe("该账号已注册，可直接登录。");
    expect(translateFieldMessage(t, "somethingNew")).toBe("Please check this entry");
  });
});
