import { ActionIcon, Indicator } from "@mantine/core";
import { IconAdjustmentsHorizontal } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { useLazyDropdown } from "../../ui/overlays/use-lazy-dropdown.ts";
import { useConnectionState } from "./measured-network-speed.ts";

const load = () => import("./view-menu-dropdown.tsx");
const ViewMenuDropdown = lazy(async () => ({ default: (await load()).ViewMenuDropdown }));

/** The button of the rarely used tools. A dot marks it if the connection is weak. */
export function ViewMenu() {
  const t = useTexts("shell");
  const connection = useConnectionState();
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(load, "menu");
  const isPoor = connection.strength === "weak" || connection.strength === "offline";
  const label = isPoor ? `${t("shell.view")} · ${connection.text}` : t("shell.view");
  return (
    <>
      <Indicator color="red" size={8} offset={8} disabled={!isPoor}>
        <ActionIcon variant="subtle" color="gray" size={38} aria-label={label} title={label} {...button}>
          <IconAdjustmentsHorizontal size={20} stroke={1.6} />
        </ActionIcon>
      </Indicator>
      {isUsed && (
        <Suspense>
          <ViewMenuDropdown {...dropdown} />
        </Suspense>
      )}
    </>
  );
}
