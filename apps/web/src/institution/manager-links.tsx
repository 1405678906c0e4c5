import { Button, Group, Stack, Text } from "@mantine/core";
import { screens } from "@arcada/contract/screens";
import type { ScreenName } from "@arcada/contract/screens";
import { ScreenLink } from "../browser/navigation.tsx";
import { PermissionGate } from "../session/permission-gate.tsx";
import { useTexts } from "../i18n/texts.ts";
import { Section } from "../ui/page.tsx";

const managerScreens = ["engines", "openInterface", "trail", "leaving"] as const satisfies readonly ScreenName[];

/** Links to further areas for managers only: analysis engines, API access, audit log and data export. */
export function ManagerLinks() {
  return managerScreens.map((screen) => (
    <PermissionGate key={screen} to={screens[screen]}>
      <ManagerLink screen={screen} />
    </PermissionGate>
  ));
}

function ManagerLink({ screen }: { screen: (typeof managerScreens)[number] }) {
  const t = useTexts("institution");
  return (
    <Section>
      <Group justify="space-between" gap="md">
        <Stack gap={2} flex="1 1 240px">
          <Text fw={600}>{t(`institution.${screen}`)}</Text>
          <Text size="sm" c="dimmed">
            {t(`institution.${screen}Text`)}
          </Text>
        </Stack>
        <Button component={ScreenLink} screen={screen} variant="default">
          {t(`institution.${screen}Open`)}
        </Button>
      </Group>
    </Section>
  );
}
