import { ActionIcon } from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import { Suspense, lazy } from "react";
import type { ScreenName } from "@arcada/contract/screens";
import { useTexts } from "../../i18n/texts.ts";
import { useLazyDropdown } from "../../ui/overlays/use-lazy-dropdown.ts";

// The sentences of all screens are loaded with the first one that somebody wants to read.
const load = () => import("./screen-help.tsx");
const ScreenHelp = lazy(async () => ({ default: (await load()).ScreenHelp }));

/** The question mark beside a page's title. It opens a sentence about the page and the way to the user guide. */
export function HelpButton({ screen }: { screen: ScreenName | undefined }) {
  const t = useTexts("shell");
  const { button, dropdown, isUsed } = useLazyDropdown<HTMLButtonElement>(load, "dialog");
  if (!screen) return null;
  return (
    <>
      <ActionIcon
        variant="subtle"
        color="gray"
        size={32}
        aria-label={t("shell.help")}
        title={t("shell.help")}
        {...button}
      >
        <IconHelpCircle size={20} stroke={1.6} aria-hidden />
      </ActionIcon>
      {isUsed && (
        <Suspense>
          <ScreenHelp screen={screen} {...dropdown} />
        </Suspense>
      )}
    </>
  );
}
