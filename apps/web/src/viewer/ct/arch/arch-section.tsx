import { Divider, Stack } from "@mantine/core";
import type { CtParts } from "../layout/pane-props.ts";
import { ArchPanel } from "./arch-panel.tsx";
import { PlanPanel } from "./plan-panel.tsx";

/** The arch with its panorama and cross-sections, and the objects planned along it. */
export const ArchSection = (parts: CtParts) => (
  <Stack gap="sm" mt="xs">
    <ArchPanel {...parts} />
    <Divider />
    <PlanPanel {...parts} />
  </Stack>
);
