import type { Browser } from "playwright-core";
import { expect } from "vitest";
import type { Product } from "../product.ts";
import { plansAlongArch } from "./arch.ts";
import { confirmsRegistration, founds, registers } from "./entering.ts";
import { createsPatient, readsCt, readsPanorama, readsRendering, readsScans, recognises, uploads } from "./imaging.ts";
import type { Material } from "./material.ts";
import { accepts, dispatches, does, sendsOrder, stands, submitsDesign, timelineOf } from "./ordering.ts";
import { Person } from "./person.ts";
import { acceptsRelation, asksForRelation } from "./relating.ts";
import { beginsWithPanorama, leavesEarly, measuresObliquely, opensAgain } from "./volume.ts";

const labName = "匠心义齿";

/** The main workflow of the product, by a dentist and a lab in separate browsers. */
export class Journey {
  readonly dentist: Person;
  readonly lab: Person;
  readonly material: Material;
  readonly #product: Product;
  #patientPage = "";
  private constructor(product: Product, dentist: Person, lab: Person, material: Material) {
    this.#product = product;
    this.dentist = dentist;
    this.lab = lab;
    this.material = material;
  }
  static async begins(browser: Browser, product: Product, material: Material, album = ""): Promise<Journey> {
    const [dentist, lab] = [
      await Person.sitsDown(browser, product.address),
      await Person.sitsDown(browser, product.address),
    ];
    for (const person of [dentist, lab]) person.album = album;
    return new Journey(product, dentist, lab, material);
  }

  async bothRegisterAndRelate(): Promise<void> {
    const { dentist, lab } = this;
    await registers(dentist, this.#product, { email: "dentist@journey.test", name: "林医生", role: "clinicManager" });
    await dentist.shoots("register", { alsoIn: ["en"] });
    await confirmsRegistration(dentist, "林医生");
    await dentist.shoots("first-page");
    const number = await founds(dentist, "晨光口腔");
    expect(number).toMatch(/^\d{8}$/);
    await registers(lab, this.#product, { email: "lab@journey.test", name: "周经理", role: "labManager" });
    await confirmsRegistration(lab, "周经理");
    await founds(lab, labName);
    await dentist.goes("/relationWeb/page");
    await dentist.sees(dentist.text("relation.empty"));
    await asksForRelation(lab, number);
    await acceptsRelation(dentist, labName);
    await dentist.shoots("relations", { alsoIn: ["en"] });
    await lab.sees(lab.text("relation.state.established"));
  }

  async dentistTakesImagesIn(): Promise<void> {
    const { dentist, material } = this;
    this.#patientPage = await createsPatient(dentist, material.patient);
    await uploads(dentist, material);
    await dentist.shoots("uploaded");
    await recognises(dentist, material);
    await dentist.shoots("patient");
  }

  readsPanorama = (): Promise<void> => readsPanorama(this.dentist, this.#patientPage, this.material.panorama);
  readsCt = (): Promise<void> => readsCt(this.dentist, this.#patientPage, this.material.ct);
  async worksInCt(): Promise<void> {
    await measuresObliquely(this.dentist);
    await opensAgain(this.dentist);
    await plansAlongArch(this.dentist);
    await beginsWithPanorama(this.dentist);
    await leavesEarly(this.dentist);
  }
  readsRendering = (): Promise<void> => readsRendering(this.dentist, this.#patientPage, this.material.ct);
  readsScans = (): Promise<void> => readsScans(this.dentist, this.#patientPage, this.material.scans.names);

  async orderIsMadeAndReceived(): Promise<void> {
    const { dentist, lab, material } = this;
    await lab.goes("/orderList");
    await lab.sees(lab.text("order.empty.labTitle"));
    const number = await sendsOrder(dentist, this.#patientPage, labName, dayIn(10));
    await dentist.shoots("order-sent");
    await lab.sees(lab.page.getByText(number, { exact: true }));
    await lab.shoots("lab-orders");
    await lab.page.getByRole("link", { name: number, exact: true }).first().click();
    await accepts(lab);
    await stands(dentist, "awaiting_design");
    await lab.shoots("lab-order");
    await submitsDesign(lab, material.design);
    await dentist.sees(dentist.button("order.action.confirmDesign"));
    await dentist.shoots("order-design");
    await does(dentist, "confirmDesign");
    await stands(lab, "awaiting_dispatch");
    await dispatches(lab);
    await stands(dentist, "awaiting_receipt");
    await dentist.sees(dentist.page.getByText("SF1024000088"));
    await does(dentist, "confirmReceipt");
    for (const person of [dentist, lab]) await stands(person, "completed");
    expect((await timelineOf(dentist)).length).toBeGreaterThanOrEqual(6);
    expect(await timelineOf(dentist)).toEqual(await timelineOf(lab));
    await dentist.shoots("order-completed", { alsoIn: ["en"] });
    await lab.shoots("lab-completed");
  }

  async shootsWhatFailed(): Promise<void> {
    await this.dentist.shot("failed-dentist");
    await this.lab.shot("failed-lab");
  }
  async ends(): Promise<void> {
    await this.dentist.leaves();
    await this.lab.leaves();
  }
}

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
