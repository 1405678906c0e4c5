import { afterAll, beforeAll, expect, it } from "vitest";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../browser.ts";
import { Product } from "../product.ts";
import { generatedMaterial } from "./material.ts";
import { Person } from "./person.ts";
import { confirmsRegistration, founds, registers } from "./entering.ts";
import { acceptsRelation, asksForRelation } from "./relating.ts";

const product = new Product();
let browser: Browser;
beforeAll(async () => {
  [browser] = await Promise.all([launchBrowser(), product.start()]);
});
afterAll(async () => {
  await browser?.close();
  await product.remove();
});

it("x", { timeout: 240_000 }, async () => {
  void generatedMaterial;
  const dentist = await Person.sitsDown(browser, product.address);
  const lab = await Person.sitsDown(browser, product.address);
  await registers(dentist, product, { email: "dentist@journey.test", name: "林医生", role: "clinicManager" });
  await dentist.shoots("register");
  await confirmsRegistration(dentist, "林医生");
  const clinicNumber = await founds(dentist, "晨光口腔");
  expect(clinicNumber).toMatch(/^\d{8}$/);
  await registers(lab, product, { email: "lab@journey.test", name: "周经理", role: "labManager" });
  await confirmsRegistration(lab, "周经理");
  await founds(lab, "匠心义齿");
  await dentist.goes("/relationWeb/page");
  await asksForRelation(lab, clinicNumber);
  await acceptsRelation(dentist, "匠心义齿");
  await dentist.shoots("relations", { alsoIn: ["en"] });
  console.info(dentist.complaints, lab.complaints);
});
