import { deviceScopes } from "@arcada/contract/device/device.rules";
import type { DeviceScope } from "@arcada/contract/device/device.rules";
import { keyScopes, scopesOf } from "@arcada/contract/interface/interface.rules";
import type { KeyScope } from "@arcada/contract/interface/interface.rules";
import { refusals } from "@arcada/contract/kernel/refusals";
import type { Person, World } from "../world.ts";

/** A program's key, with what it may. */
export interface Program {
  secret: string;
  scopes: readonly (KeyScope | DeviceScope)[];
  isDevice?: true;
}
interface Named {
  name: string;
  by: Person;
  relation: "own" | "shared" | "unrelated";
  key: Program;
  /** The code that rejects its every call. */
  dead?: number;
}

/** A device of this clinic, with what its key opens. */
async function deviceKey(server: World["server"], clinic: Person): Promise<Program> {
  const service = await server.person("afterSalesAdmin");
  const plate = { product: "Scanner", serialNumber: "T-01", model: "S1" };
  const { activationCode } = await service.gets("device.register", plate);
  const { key } = await clinic.gets("device.bind", { ...plate, activationCode, name: "Scanner" });
  return { secret: key, scopes: deviceScopes, isDevice: true };
}

/** A device, and programs: with everything that a key can be allowed in each relation, with one or two scopes alone, with a revoked key. */
export async function programs({ server, clinic, lab }: World): Promise<Named[]> {
  const stranger = await server.person("clinicAdmin", await server.institution("clinic"));
  const make = async (by: Person, relation: Named["relation"], scopes: readonly KeyScope[]) => {
    const { key, secret } = await by.gets("interface.makeKey", { name: "Program", scopes: [...scopes], days: 30 });
    const name = `key with ${scopes.length < 3 ? scopes.join(" and ") : "everything"}`;
    return { id: key.id, program: { name, by, relation, key: { secret, scopes } } };
  };
  const revoked = await make(clinic, "own", keyScopes);
  await clinic.gets("interface.revokeKey", { id: revoked.id });
  const living = [
    await make(clinic, "own", keyScopes),
    await make(clinic, "own", ["orders.read"]),
    await make(clinic, "own", ["patients.write", "studies.write"]),
    await make(lab, "shared", scopesOf("lab")),
    await make(stranger, "unrelated", keyScopes),
  ];
  return [
    {
      name: "device",
      by: await server.person("clinicMember", { id: clinic.iid! }),
      relation: "own",
      key: await deviceKey(server, clinic),
    },
    ...living.map(({ program }) => program),
    { ...revoked.program, name: "revoked key", dead: refusals.keyUnknown.code },
  ];
}
