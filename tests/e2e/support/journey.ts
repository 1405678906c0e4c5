import type { Browser } from "playwright-core";
import { expect } from "vitest";
import type { Product } from "@arcada/testing/setup/product-process";
import { planAlongArch } from "../viewer/arch-steps.ts";
import { confirmRegistration, createInstitution, fillRegistration } from "./account-steps.ts";
import {
  createPatient,
  checkCt,
  checkPanorama,
  checkRendering,
  checkScans,
  checkRecognition,
  uploadFiles,
} from "../viewer/imaging-steps.ts";
import type { TestFiles } from "./test-files.ts";
import {
  acceptOrder,
  dispatchOrder,
  takeOrderAction,
  sendOrder,
  expectOrderState,
  submitDesign,
  readTimeline,
} from "./order-steps.ts";
import { BrowserUser } from "./browser-user.ts";
import { acceptRelation, requestRelation } from "./relation-steps.ts";
import {
  checkPanoramaFirstPaint,
  checkCancelledRequests,
  measureObliquely,
  reopenFromCache,
} from "../viewer/volume-steps.ts";

const labName = "匠心义齿";

/** The main workflow of the product, by a dentist and a lab in separate browsers. */
export class Journey {
  readonly dentist: BrowserUser;
  readonly lab: BrowserUser;
  readonly material: TestFiles;
  readonly #product: Product;
  #patientPage = "";
  private constructor(product: Product, dentist: BrowserUser, lab: BrowserUser, testFiles: TestFiles) {
    this.#product = product;
    this.dentist = dentist;
    this.lab = lab;
    this.material = testFiles;
  }
  static async open(browser: Browser, product: Product, testFiles: TestFiles, screenshotPrefix = ""): Promise<Journey> {
    const [dentist, lab] = [
      await BrowserUser.open(browser, product.address),
      await BrowserUser.open(browser, product.address),
    ];
    for (const person of [dentist, lab]) person.screenshotPrefix = screenshotPrefix;
    return new Journey(product, dentist, lab, testFiles);
  }

  async registerAndRelateBoth(): Promise<void> {
    const { dentist, lab } = this;
    await fillRegistration(dentist, this.#product, {
      email: "dentist@journey.test",
      name: "林医生",
      role: "clinicManager",
    });
    await dentist.takeScreenshots("register", { alsoIn: ["en"] });
    await confirmRegistration(dentist, "林医生");
    await dentist.takeScreenshots("first-page");
    const number = await createInstitution(dentist, "晨光口腔");
    expect(number).toMatch(/^\d{8}$/);
    await fillRegistration(lab, this.#product, { email: "lab@journey.test", name: "周经理", role: "labManager" });
    await confirmRegistration(lab, "周经理");
    await createInstitution(lab, labName);
    await dentist.goTo("/relationWeb/page");
    await dentist.waitFor(dentist.text("relation.empty"));
    await requestRelation(lab, number);
    await acceptRelation(dentist, labName);
    await dentist.takeScreenshots("relations", { alsoIn: ["en"] });
    await lab.waitFor(lab.text("relation.state.established"));
  }

  async uploadImages(): Promise<void> {
    const { dentist, material: testFiles } = this;
    this.#patientPage = await createPatient(dentist, testFiles.patient);
    await uploadFiles(dentist, testFiles);
    await dentist.takeScreenshots("uploaded");
    await checkRecognition(dentist, testFiles);
    await dentist.takeScreenshots("patient");
  }

  checkPanorama = (): Promise<void> => checkPanorama(this.dentist, this.#patientPage, this.material.panorama);
  checkCt = (): Promise<void> => checkCt(this.dentist, this.#patientPage, this.material.ct);
  async useCtTools(): Promise<void> {
    await measureObliquely(this.dentist);
    await reopenFromCache(this.dentist);
    await planAlongArch(this.dentist);
  }
  /** The viewer paints before the application is there, and requests nothing once it is closed. */
  async reopenCt(): Promise<void> {
    await checkPanoramaFirstPaint(this.dentist);
    await checkCancelledRequests(this.dentist);
  }
  checkRendering = (): Promise<void> => checkRendering(this.dentist, this.#patientPage, this.material.ct);
  checkScans = (): Promise<void> => checkScans(this.dentist, this.#patientPage, this.material.scans.names);

  async completeOrder(): Promise<void> {
    const { dentist, lab, material: testFiles } = this;
    await lab.goTo("/orderList");
    await lab.waitFor(lab.text("order.empty.labTitle"));
    const number = await sendOrder(dentist, this.#patientPage, labName, dayIn(10));
    await dentist.takeScreenshots("order-sent");
    await lab.waitFor(lab.page.getByText(number, { exact: true }));
    await lab.takeScreenshots("lab-orders");
    await lab.page.getByRole("link", { name: number }).first().click();
    await acceptOrder(lab);
    await expectOrderState(dentist, "awaiting_design");
    await lab.takeScreenshots("lab-order");
    await submitDesign(lab, testFiles.design);
    await dentist.waitFor(dentist.button("order.action.confirmDesign"));
    await dentist.takeScreenshots("order-design");
    await takeOrderAction(dentist, "confirmDesign");
    await expectOrderState(lab, "awaiting_dispatch");
    await dispatchOrder(lab);
    await expectOrderState(dentist, "awaiting_receipt");
    await dentist.waitFor(dentist.page.getByText("SF1024000088"));
    await takeOrderAction(dentist, "confirmReceipt");
    for (const person of [dentist, lab]) await expectOrderState(person, "completed");
    expect((await readTimeline(dentist)).length).toBeGreaterThanOrEqual(6);
    expect(await readTimeline(dentist)).toEqual(await readTimeline(lab));
    await dentist.takeScreenshots("order-completed", { alsoIn: ["en"] });
    await lab.takeScreenshots("lab-completed");
  }

  async captureFailure(): Promise<void> {
    await this.dentist.takeScreenshot("failed-dentist");
    await this.lab.takeScreenshot("failed-lab");
  }
  async close(): Promise<void> {
    await this.dentist.close();
    await this.lab.close();
  }
}

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
