import { Badge } from "@mantine/core";
import type { PackageStateBadge as State } from "@arcada/contract/upgrade/upgrade.rules";
import { useTexts } from "../i18n/texts.ts";

const stateColours: Record<State, string> = { published: "teal", withdrawn: "red" };

export function PackageStateBadge({ state }: { state: State }) {
  const t = useTexts("upgrade");
  return (
    <Badge variant="light" color={stateColours[state]}>
      {t(`upgrade.states.${state}`)}
    </Badge>
  );
}
