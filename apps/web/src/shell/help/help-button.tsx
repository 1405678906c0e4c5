import { ActionIcon, Loader, Popover } from "@mantine/core";
import { IconHelpCircle } from "@tabler/icons-react";
import { Suspense, lazy, useState } from "react";
import type { ScreenName } from "@arcada/contract/screens";
import { useTexts } from "../../i18n/texts.ts";

// The sentences of all screens are loaded with the first one that somebody wants to read.
const ScreenHelpText = lazy(async () => ({ default: (await import("./screen-help-text.tsx")).ScreenHelpText }));

/** The question mark beside a page's title. It opens a sentence about the page and the way to the user guide. */
export function HelpButton({ screen }: { screen: ScreenName | undefined }) {
  const t = useTexts("shell");
  const [isOpen, setOpen] = useState(false);
  if (!screen) return null;
  return (
    <Popover opened={isOpen} onChange={setOpen} position="bottom-start" width={320} shadow="md" trapFocus returnFocus>
      <Popover.Target>
        <ActionIcon
          variant="subtle"
          color="gray"
          size={32}
          aria-label={t("shell.help")}
          title={t("shell.help")}
          onClick={() => setOpen(!isOpen)}
        >
          <IconHelpCircle size={20} stroke={1.6} aria-hidden />
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={t("shell.help")}>
        <Suspense fallback={<Loader size="sm" />}>
          <ScreenHelpText screen={screen} />
        </Suspense>
      </Popover.Dropdown>
    </Popover>
  );
}
