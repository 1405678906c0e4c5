import { sql } from "kysely";
import { beforeAll, describe, expect, it } from "vitest";
import { server, world } from "../../../../tests/world.ts";
import type { CallName, Person, TestServer, World } from "../../../../tests/world.ts";

let here: TestServer;
let case1: World;
let service: Person;
beforeAll(async () => {
  here = await server();
  case1 = await world();
  service = await here.person("afterSalesAdmin");
});

let count = 0;
const register = () =>
  service.gets("device.register", {
    product: "Smile CBCT",
    serialNumber: `SN-${++count}`,
    model: "S1",
    firmware: "1.0",
  });

describe("a device", () => {
  it("is bound, says hello, reads the worklist", async () => {
    const { device, activationCode } = await register();
    const bound = await case1.clinic.gets("device.bind", {
      serialNumber: device.serialNumber.toLowerCase(),
      activationCode: activationCode.toLowerCase(),
      name: "Room 2",
    });
    expect(bound.device).toMatchObject({ state: "bound", name: "Room 2" });
    const headers = { authorization: `Bearer ${bound.key}` };
    expect((await here.ask("device.hello", { softwareVersion: "2.1" }, headers)).data).toMatchObject({
      state: "bound",
      refused: null,
    });
    await case1.clinic.gets("patient.create", { name: "王小明", sex: "male", birthDate: "1990-01-02" });
    const list = await here.ask("device.worklist", {}, headers);
    console.log(JSON.stringify(list), JSON.stringify(await case1.clinic.gets("device.detail", { id: device.id })));
    expect(list.data.list[0]!.patientName).toBe("Wang^Xiaoming=王^小明");
    const locked = await case1.clinic.gets("device.step", {
      id: device.id,
      action: "lock",
      version: bound.device.version,
      reason: "Lost",
    });
    await new Promise((r) => setTimeout(r, 600));
    expect(await here.ask("device.worklist", {}, headers)).toMatchObject({ status: 403, data: { reason: "Lost" } });
    expect((await here.ask("device.hello", {}, headers)).data).toMatchObject({ state: "locked", refused: "Lost" });
    await service.gets("device.step", { id: device.id, action: "unlock", version: locked.version });
    console.log(JSON.stringify((await service.gets("device.list", {})).list));
  });
});
