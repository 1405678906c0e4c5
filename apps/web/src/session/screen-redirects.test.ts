import { describe, expect, it } from "vitest";
import { cardActivationUrl } from "@arcada/contract/capacity/card-activation-url";
import { screens } from "@arcada/contract/screens";
import { homePathOf } from "@arcada/contract/start-page";
import { toSafePath, findRedirect, findServiceAuthority, findRefreshTarget } from "./screen-redirects.ts";
import { parseStartUpRequest } from "../app/start-up.ts";

const someone = { clinicAdmin: 222, dentist: 233, labAdmin: 666, afterSales: 700, operator: 9527, newUser: 0 };
const goes = (who: keyof typeof someone | null, path: string, iid = "01") =>
  findRedirect(path, path, who && { authorityId: someone[who], iid: who === "newUser" ? "0" : iid });

describe("opening an address", () => {
  it("leads to the sign-in page, with the address, if nobody is signed in", () => {
    expect(findRedirect("/orderDetail/page", "/orderDetail/page?id=7", null)).toBe(
      "/login?redirect=%2ForderDetail%2Fpage%3Fid%3D7",
    );
    expect(goes(null, "/nowhere")).toBe("/login?redirect=%2Fnowhere");
  });
  it.each(["/login", "/register", "/forgot", "/404", "/401"])("needs no sign-in for %s", (path) =>
    expect(goes(null, path)).toBeNull(),
  );
  it.each(["/", "/login", "/register"])("leads a signed-in user from %s to the role's first page", (path) => {
    for (const who of ["dentist", "labAdmin", "afterSales", "operator"] as const)
      expect(goes(who, path)).toBe("/today");
  });
  it("leads from / to the role's list if the user does not start with the work of the day", () => {
    const listOf = (who: keyof typeof someone) =>
      findRedirect("/", "/", { authorityId: someone[who], iid: "01" }, "list");
    expect(listOf("dentist")).toBe("/patientList");
    expect(listOf("labAdmin")).toBe("/orderList");
  });
  it("leads to 404 if the address does not exist", () => expect(goes("clinicAdmin", "/nowhere")).toBe("/404"));
  it("leads to 401 if the role does not have the page", () => {
    expect(goes("labAdmin", "/patientList")).toBe("/401");
    expect(goes("dentist", "/institution")).toBe("/401");
    expect(goes("clinicAdmin", "/institution")).toBeNull();
  });
  it("leads a user without an institution to the user settings, which stay accessible", () => {
    expect(goes("newUser", "/patientList")).toBe("/profile/index");
    expect(goes("clinicAdmin", "/patientList", "0")).toBe("/profile/index");
    expect(goes("newUser", "/profile/index")).toBeNull();
  });
  it("leads a user to the user settings to set up the second step that the institution requires", () => {
    const lacking = { authorityId: 222, iid: "7", factorRequired: true };
    for (const path of ["/", "/login", "/patientList", "/orderList"])
      expect(findRedirect(path, path, lacking)).toBe("/profile/index");
    expect(findRedirect("/profile/index", "/profile/index", lacking)).toBeNull();
  });
  it("leads the operator to the operator's own pages, and to no others", () => {
    expect(goes("operator", "/", "0")).toBe(homePathOf("operator"));
    expect(goes("operator", "/imports", "0")).toBeNull();
    expect(goes("operator", "/patientList", "0")).toBe("/401");
    expect(goes("clinicAdmin", "/imports")).toBe("/401");
  });
  it("lets after-sales users open the user settings", () =>
    expect(goes("afterSales", "/profile/index", "0")).toBeNull());
});

describe("navigation", () => {
  it.each(["/studyShared/detail", "/auth-redirect", "/login", "/register", "/forgot"])(
    "without a token leaves %s alone",
    (path) => expect(goes(null, path) ?? "").not.toContain("/login"),
  );
  it("without a token sends any other path to /login?redirect={original path}", () => {
    for (const { path, access } of Object.values(screens))
      if (access !== "anyone")
        expect(findRedirect(path, `${path}?id=7`, null)).toBe(`/login?redirect=${encodeURIComponent(`${path}?id=7`)}`);
  });
  it("sends a logged-in visit to /login to /", () => expect(goes("dentist", "/login")).toBe(goes("dentist", "/")));
  it("sends iid 0 to /profile/index, but for 700 and 701", () => {
    expect(goes("dentist", "/member/page", "0")).toBe("/profile/index");
    expect(goes("afterSales", "/", "0")).toBe(homePathOf("afterSalesAdmin"));
  });
  it("sends a newUser who comes from /login or / to /profile/index", () => {
    expect(goes("newUser", "/login")).toBe("/profile/index");
    expect(goes("newUser", "/")).toBe("/profile/index");
  });
  it("keeps after-sales users off the patients' pages and gives them their own root page", () => {
    expect(goes("afterSales", "/patientList")).toBe("/401");
    expect(goes("afterSales", "/patientDetail/page")).toBe("/401");
    expect(goes("afterSales", "/")).not.toBe("/patientList");
  });
  it("enters /service as 700 if the user has it, as 701 if the user has only that, else not at all", () => {
    expect(findServiceAuthority([{ authorityId: 222 }, { authorityId: 701 }, { authorityId: 700 }])).toBe(700);
    expect(findServiceAuthority([{ authorityId: 222 }, { authorityId: 701 }])).toBe(701);
    expect(findServiceAuthority([{ authorityId: 222 }, { authorityId: 9527 }])).toBeNull();
  });
  it("reloads the page of /redirect/{path}, within this origin only", () => {
    const origin = "https://arcada.example";
    expect(findRefreshTarget("/redirect/orderDetail/page?id=7", origin)).toBe("/orderDetail/page?id=7");
    expect(findRefreshTarget("/redirect//elsewhere.example/", origin)).toBe("/");
    expect(findRefreshTarget("/orderList", origin)).toBeNull();
  });
});

describe("the return address", () => {
  const origin = "https://arcada.example";
  it.each([
    ["/orderDetail/page?id=7#files", "/orderDetail/page?id=7#files"],
    ["https://arcada.example/member/page", "/member/page"],
    [null, "/"],
    ["", "/"],
  ])("%s leads to %s", (redirect, to) => expect(toSafePath(redirect, origin)).toBe(to));
  it.each([
    "https://elsewhere.example/patientList",
    "http://arcada.example/patientList",
    "https://arcada.example:8443/",
    "//elsewhere.example",
    "///elsewhere.example",
    "\\\\elsewhere.example",
    "/\\elsewhere.example",
    "/\t/elsewhere.example",
    "\n//elsewhere.example",
    " //elsewhere.example",
    "/.//elsewhere.example",
    "/x/..//elsewhere.example",
    "/%2e//elsewhere.example",
    "https://arcada.example//elsewhere.example",
    "https:\\\\elsewhere.example",
    "https://arcada.example@elsewhere.example/",
    "https://elsewhere.example\\@arcada.example/",
    "https://arcada.example.elsewhere.example/",
    "https://\u0430rcada.example/",
    "javascript:alert(1)",
    "JaVaScRiPt:alert(1)",
    "java\tscript:alert(1)",
    "data:text/html,x",
    "blob:https://elsewhere.example/1",
    "/login?redirect=/login",
    "/register",
    "/auth-redirect?code=1",
  ])("%j leads to our own root", (redirect) => expect(toSafePath(redirect, origin)).toBe("/"));
  it.each([
    "https:elsewhere.example",
    "%2F%2Felsewhere.example",
    "/%2F%2Felsewhere.example",
    "/%5Celsewhere.example",
    "\uff0f\uff0felsewhere.example",
    "https://somebody:secret@arcada.example/orderList",
  ])("%j stays within this origin when the browser follows it", (redirect) => {
    const to = toSafePath(redirect, origin);
    expect(new URL(to, origin).origin).toBe(origin);
    expect(to).not.toContain("secret");
  });
  it("never contains a code that would sign in another user", () =>
    expect(toSafePath("/orderList?token=stolen&turn=mine", origin)).toBe("/orderList?turn=mine"));
});

describe("the start-up parameters", () => {
  const asked = (address: string) => parseStartUpRequest(new URL(address, "https://arcada.example"));
  it("token opens the patient of id, else the first page, and is removed from the address", () => {
    expect(asked("/patientDetail/page?token=c&id=a b&lang=en")).toEqual({
      code: "c",
      target: "/patientDetail/page?id=a%20b",
      language: "en",
    });
    expect(asked("/patientDetail/page?token=c").target).toBe("/");
    expect(asked("/orderList?token=c&id=7").target).toBe("/");
  });
  it("/auth-redirect exchanges its code and continues to an address of this origin", () => {
    expect(asked("/auth-redirect?code=c&redirect=%2ForderList")).toMatchObject({ code: "c", target: "/orderList" });
    expect(asked("/auth-redirect?code=c&redirect=//elsewhere.example")).toMatchObject({ target: "/" });
    expect(asked("/auth-redirect")).toMatchObject({ code: null, target: "/" });
    expect(asked("/auth-redirect?problem=providerAway")).toMatchObject({ code: null, target: null });
  });
  it("lang is removed from the address, and all else remains", () =>
    expect(asked("/orderList?lang=fr&turn=mine#top")).toEqual({
      code: null,
      target: "/orderList?turn=mine#top",
      language: "fr",
    }));
  it("a scanned card is removed from the address, so that no sign-in page passes its secret on", () => {
    const card = { number: "202600001234", secret: "ABCDEFGHJKMN" };
    const address = cardActivationUrl("https://arcada.example", card);
    expect(asked(address)).toEqual({ code: null, card, target: "/myCapacity/page", language: null });
    expect(asked(address.replace("/myCapacity/page", "/orderList"))).toMatchObject({ target: null });
  });
  it("an address without such parameters remains unchanged", () =>
    expect(asked("/orderList?turn=mine").target).toBeNull());
});
