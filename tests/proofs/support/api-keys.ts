import { deviceScopes } from "@arcada/contract/device/device.rules";
import type { DeviceScope } from "@arcada/contract/device/device.rules";
import { scopesForType } from "@arcada/contract/integrations/integrations.rules";
import type { KeyScope } from "@arcada/contract/integrations/integrations.rules";
import type { RefusalName } from "@arcada/contract/kernel/refusals";
import type { TestUser, TestSetup } from "@arcada/testing/setup/test-server";

/** A program's key, with what it may. */
export interface ApiKey {
  secret: string;
  scopes: readonly (KeyScope | DeviceScope)[];
  isDevice?: true;
}
interface NamedApiKey {
  name: string;
  by: TestUser;
  relation: "own" | "shared" | "unrelated";
  key: ApiKey;
  /** The refusal of its every call. */
  refusal?: RefusalName;
}

/** A device of this clinic, with what its key opens. */
async function createDeviceKey(server: TestSetup["server"], clinic: TestUser): Promise<ApiKey> {
  const service = await server.createUser("afterSalesAdmin");
  const plate = { product: "Scanner", serialNumber: "T-01", model: "S1" };
  const { activationCode } = await service.call("device.register", plate);
  const { key } = await clinic.call("device.bind", { ...plate, activationCode, name: "Scanner" });
  return { secret: key, scopes: deviceScopes, isDevice: true };
}

/** A device, and programs: with everything that a key can be allowed in each relation, with one or two scopes alone, with a revoked key. */
export async function createApiKeys({ server, clinic, lab }: TestSetup): Promise<NamedApiKey[]> {
  const stranger = await server.createUser("clinicAdmin", await server.createInstitution("clinic"));
  const createKey = async (by: TestUser, relation: NamedApiKey["relation"], scopes: readonly KeyScope[]) => {
    const { key, secret } = await by.call("interface.makeKey", { name: "Program", scopes: [...scopes], days: 30 });
    const name = `key with ${scopes.length < 3 ? scopes.join(" and ") : "everything"}`;
    return { id: key.id, program: { name, by, relation, key: { secret, scopes } } };
  };
  const revoked = await createKey(clinic, "own", scopesForType("clinic"));
  await clinic.call("interface.revokeKey", { id: revoked.id });
  const activeKeys = [
    await createKey(clinic, "own", scopesForType("clinic")),
    await createKey(clinic, "own", ["orders.read"]),
    await createKey(clinic, "own", ["patients.write", "studies.write"]),
    await createKey(lab, "shared", scopesForType("lab")),
    await createKey(stranger, "unrelated", scopesForType("clinic")),
  ];
  return [
    {
      name: "device",
      by: await server.createUser("clinicMember", { id: clinic.iid }),
      relation: "own",
      key: await createDeviceKey(server, clinic),
    },
    ...activeKeys.map(({ program }) => program),
    { ...revoked.program, name: "revoked key", refusal: "keyUnknown" },
  ];
}
