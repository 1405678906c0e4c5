import { describe, expect, it } from "vitest";
import { cardAddress } from "@arcada/contract/capacity/card-code";
import { homeOf, screens } from "@arcada/contract/screens";
import { toSafePath, findRedirect, findServiceAuthority, findRefreshTarget } from "./start-up-route.ts";
import { parseStartUpRequest } from "../app/start-up.ts";

const someone = { clinicAdmin: 222, dentist: 233, labAdmin: 666, afterSales: 700, operator: 9527, newUser: 0 };
const goes = (who: keyof typeof someone | null, path: string, iid = "01") =>
  findRedirect(path, path, who && { authorityId: someone[who], iid: who === "newUser" ? "0" : iid });

describe("who opens an address", () => {
  it("without a sign-in goes to it, and the address comes along", () => {
    expect(findRedirect("/orderDetail/page", "/orderDetail/page?id=7", null)).toBe(
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
  it("of an organisation that wants a second step first sets one up in the user settings", () => {
    const lacking = { authorityId: 222, iid: "7", factorRequired: true };
    for (const path of ["/", "/login", "/patientList", "/orderList"])
      expect(findRedirect(path, path, lacking)).toBe("/profile/index");
    expect(findRedirect("/profile/index", "/profile/index", lacking)).toBeNull();
  });
  it("and runs the platform begins with the operator's own pages, and opens no others", () => {
    expect(goes("operator", "/", "0")).toBe(homeOf("operator"));
    expect(goes("operator", "/imports", "0")).toBeNull();
    expect(goes("operator", "/patientList", "0")).toBe("/401");
    expect(goes("clinicAdmin", "/imports")).toBe("/401");
  });
  it("and belongs to after-sales is exempt from that", () =>
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
    expect(goes("afterSales", "/", "0")).toBe(homeOf("afterSalesAdmin"));
  });
  it("sends a newUser who comes from /login or / to /profile/index", () => {
    expect(goes("newUser", "/login")).toBe("/profile/index");
    expect(goes("newUser", "/")).toBe("/profile/index");
  });
  it("keeps the patients' pages from after-sales people, whose root is a page of their own", () => {
    expect(goes("afterSales", "/patientList")).toBe("/401");
    expect(goes("afterSales", "/patientDetail/page")).toBe("/401");
    expect(goes("afterSales", "/")).not.toBe("/patientList");
  });
  it("enters /service as 700 where that is held, as 701 where only that is, else not at all", () => {
    expect(findServiceAuthority([{ authorityId: 222 }, { authorityId: 701 }, { authorityId: 700 }])).toBe(700);
    expect(findServiceAuthority([{ authorityId: 222 }, { authorityId: 701 }])).toBe(701);
    expect(findServiceAuthority([{ authorityId: 222 }, { authorityId: 9527 }])).toBeNull();
  });
  it("makes the page of /redirect/{path} anew, one of ours only", () => {
    const origin = "https://arcada.example";
    expect(findRefreshTarget("/redirect/orderDetail/page?id=7", origin)).toBe("/orderDetail/page?id=7");
    expect(findRefreshTarget("/redirect//elsewhere.example/", origin)).toBe("/");
    expect(findRefreshTarget("/orderList", origin)).toBeNull();
  });
});

describe("the place to go back to", () => {
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
  ])("%j stays a place of ours wherever the browser is sent with it", (redirect) => {
    const to = toSafePath(redirect, origin);
    expect(new URL(to, origin).origin).toBe(origin);
    expect(to).not.toContain("secret");
  });
  it("never carries a code that would sign another person in", () =>
    expect(toSafePath("/orderList?token=stolen&turn=mine", origin)).toBe("/orderList?turn=mine"));
});

describe("the start's parameters", () => {
  const asked = (address: string) => parseStartUpRequest(new URL(address, "https://arcada.example"));
  it("token opens the patient that id names, and otherwise the first page, and leaves the address", () => {
    expect(asked("/patientDetail/page?token=c&id=a b&lang=en")).toEqual({
      code: "c",
      target: "/patientDetail/page?id=a%20b",
      language: "en",
    });
    expect(asked("/patientDetail/page?token=c").target).toBe("/");
    expect(asked("/orderList?token=c&id=7").target).toBe("/");
  });
  it("/auth-redirect trades its code and goes on to a place of ours", () => {
    expect(asked("/auth-redirect?code=c&redirect=%2ForderList")).toMatchObject({ code: "c", target: "/orderList" });
    expect(asked("/auth-redirect?code=c&redirect=//elsewhere.example")).toMatchObject({ target: "/" });
    expect(asked("/auth-redirect")).toMatchObject({ code: null, target: "/" });
    expect(asked("/auth-redirect?problem=providerAway")).toMatchObject({ code: null, target: null });
  });
  it("lang leaves the address, and all else stays", () =>
    expect(asked("/orderList?lang=fr&turn=mine#top")).toEqual({
      code: null,
      target: "/orderList?turn=mine#top",
      language: "fr",
    }));
  it("a card that was scanned leaves the address, so that no sign-in page carries its secret on", () => {
    const card = { number: "202600001234", secret: "ABCDEFGHJKMN" };
    const address = cardAddress("https://arcada.example", card);
    expect(asked(address)).toEqual({ code: null, card, target: "/myCapacity/page", language: null });
    expect(asked(address.replace("/myCapacity/page", "/orderList"))).toMatchObject({ target: null });
  });
  it("an address that asks nothing stays as it is", () => expect(asked("/orderList?turn=mine").target).toBeNull());
});
