import type { ResourceDefinition, ResourceType } from "../resource-definition.ts";
import { serviceRequestDefinition, taskDefinition } from "./order-resources.ts";
import { organizationDefinition } from "./organization.ts";

/** Every type of resource that is served. Routes, searches and the capability statement follow from these rows. */
export const resourceDefinitions: readonly ResourceDefinition[] = [
  organizationDefinition,
  serviceRequestDefinition,
  taskDefinition,
];

export const findDefinition = (type: ResourceType): ResourceDefinition | undefined =>
  resourceDefinitions.find((one) => one.type === type);
