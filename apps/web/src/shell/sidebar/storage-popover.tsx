import { Button, Popover, Stack, Text } from "@mantine/core";
import { loginPageCalls } from "@arcada/contract/account/login-page.calls";
import { screens } from "@arcada/contract/screens";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useCanAccess } from "../../session/permission-gate.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCallOnce } from "../../data/use-call-once.ts";
import { AnchoredPopover } from "../../ui/overlays/anchored-overlays.tsx";
import type { DropdownState } from "../../ui/overlays/use-lazy-dropdown.ts";

interface Props extends DropdownState {
  /** The used and the whole storage in words. */
  words: string;
  percent: number;
}

/** The institution's storage and the ways to get more. */
export function StoragePopover({ words, percent, ...dropdown }: Props) {
  const t = useTexts("shell", "capacity");
  const canOpenCapacity = useCanAccess(screens.myCapacity);
  const close = () => dropdown.onChange(false);
  return (
    <AnchoredPopover position="right-end" width={280} withArrow shadow="md" trapFocus {...dropdown}>
      <Popover.Dropdown aria-label={t("shell.capacity.title")}>
        <Stack gap="xs">
          <Text size="sm" fw={600}>
            {t("shell.capacity.total")}
          </Text>
          <Text size="sm" className="arcada-figures">
            {words}
          </Text>
          {percent >= 100 && (
            <Text size="sm" c="var(--mantine-color-error)">
              {t("capacity.full")}
            </Text>
          )}
          <ExpandHint />
          {canOpenCapacity && (
            <Button component={ScreenLink} screen="myCapacity" size="xs" onClick={close}>
              {t("shell.capacity.open")}
            </Button>
          )}
          <Button variant="default" size="xs" onClick={close}>
            {t("common.close")}
          </Button>
        </Stack>
      </Popover.Dropdown>
    </AnchoredPopover>
  );
}

function ExpandHint() {
  const t = useTexts("shell");
  const welcome = useCallOnce(loginPageCalls.welcome);
  return (
    <>
      <Text size="sm" fw={600} mt={4}>
        {t("shell.capacity.expand")}
      </Text>
      <Text size="sm" c="dimmed">
        {welcome?.hotline
          ? t("shell.capacity.expandText", { hotline: welcome.hotline, ...welcome.serviceHours })
          : t("shell.capacity.expandBare")}
      </Text>
    </>
  );
}
