import { describe, expect, it } from "vitest";
import { ownPath, sendElsewhere } from "./entry.ts";
import { whereAfterExchange } from "./start-up.ts";

const someone = { clinicAdmin: 222, dentist: 233, labAdmin: 666, afterSales: 700, operator: 9527, newUser: 0 };
const goes = (who: keyof typeof someone | null, path: string, iid = "01") =>
  sendElsewhere(path, path, who && { authorityId: someone[who], iid: who === "newUser" ? "0" : iid });

describe("who opens an address", () => {
  it("without a sign-in goes to it, and the address comes along", () => {
    expect(sendElsewhere("/orderDetail/page", "/orderDetail/page?id=7", null)).toBe(
      "/login?redirect=%2ForderDetail%2Fpage%3Fid%3D7",
    );
    expect(goes(null, "/nowhere")).toBe("/login?redirect=%2Fnowhere");
  });
  it.each(["/login", "/register", "/forgot", "/404", "/401"])("without a sign-in may open %s", (path) =>
    expect(goes(null, path)).toBeNull(),
  );
  it.each(["/", "/login", "/register"])("signed in and on %s goes to the role's first page", (path) => {
    expect(goes("dentist", path)).toBe("/patientList");
    expect(goes("labAdmin", path)).toBe("/orderList");
  });
  it("that does not exist goes to 404", () => expect(goes("clinicAdmin", "/nowhere")).toBe("/404"));
  it("that the role does not have goes to 401", () => {
    expect(goes("labAdmin", "/patientList")).toBe("/401");
    expect(goes("dentist", "/institution")).toBe("/401");
    expect(goes("clinicAdmin", "/institution")).toBeNull();
  });
  it("without an organisation goes to the user settings, which stay open", () => {
    expect(goes("newUser", "/patientList")).toBe("/profile/index");
    expect(goes("clinicAdmin", "/patientList", "0")).toBe("/profile/index");
    expect(goes("newUser", "/profile/index")).toBeNull();
  });
  it("and belongs to after-sales is exempt from that", () =>
    expect(goes("afterSales", "/profile/index", "0")).toBeNull());
});

describe("the place to go back to", () => {
  const origin = "https://arcada.example";
  it.each([
    ["/orderDetail/page?id=7#files", "/orderDetail/page?id=7#files"],
    [null, "/"],
    ["https://elsewhere.example/patientList", "/"],
    ["//elsewhere.example", "/"],
    ["\\\\elsewhere.example", "/"],
    ["javascript:alert(1)", "/"],
    ["/login?redirect=/login", "/"],
  ])("%s leads to %s", (redirect, to) => expect(ownPath(redirect, origin)).toBe(to));
});

describe("an address with an exchange code", () => {
  it("opens the patient that it names, and otherwise the list", () => {
    expect(whereAfterExchange("/patientDetail/page", "a b")).toBe("/patientDetail/page?id=a%20b");
    expect(whereAfterExchange("/patientDetail/page", null)).toBe("/patientList");
    expect(whereAfterExchange("/orderList", "7")).toBe("/patientList");
  });
});
