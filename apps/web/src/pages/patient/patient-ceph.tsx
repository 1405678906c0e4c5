import { Badge, Button, Card, Group, Image, SimpleGrid, Stack, Text } from "@mantine/core";
import { IconStack2 } from "@tabler/icons-react";
import type { Patient } from "@arcada/contract/patient/patient.calls";
import { cephCalls, type CephFilm } from "@arcada/contract/ceph/ceph.calls";
import { formatDay } from "../../i18n/format.ts";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { QueryResult } from "../../ui/query-result.tsx";
import { EmptyState } from "../../ui/page-states.tsx";

/** A patient's cephalograms with the state of their tracings, and links to trace one or to superimpose two. */
export function PatientCeph({ patient }: { patient: Patient }) {
  const t = useTexts("ceph");
  const query = useCall(cephCalls.list, { patientId: patient.id });
  return (
    <QueryResult of={query}>
      {(films) =>
        films.length === 0 ? (
          <EmptyState title={t("ceph.films.empty")} />
        ) : (
          <Stack gap="md">
            {films.filter(({ tracing }) => tracing).length > 1 && (
              <Group justify="flex-end">
                <Button
                  component={ScreenLink}
                  screen="cephOver"
                  search={{ patient: patient.id }}
                  variant="default"
                  leftSection={<IconStack2 size={16} aria-hidden />}
                >
                  {t("ceph.films.superimpose")}
                </Button>
              </Group>
            )}
            <SimpleGrid cols={{ base: 1, xs: 2, md: 3, lg: 4 }}>
              {films.map((cephalogram) => (
                <CephalogramCard key={cephalogram.instanceId} cephalogram={cephalogram} />
              ))}
            </SimpleGrid>
          </Stack>
        )
      }
    </QueryResult>
  );
}

function CephalogramCard({
  cephalogram: { studyId, instanceId, name, takenAt, createdAt, thumbnailUrl, tracing },
}: {
  cephalogram: CephFilm;
}) {
  const t = useTexts("ceph");
  const marked = tracing ? Object.keys(tracing.content.landmarks).length : 0;
  return (
    <Card withBorder padding="sm">
      <Card.Section>
        <Image src={thumbnailUrl} alt="" h={180} fit="contain" bg="black" />
      </Card.Section>
      <Stack gap={6} mt="sm">
        <Text fw={600}>{formatDay(takenAt ?? createdAt)}</Text>
        <Text size="sm" c="dimmed" truncate>
          {name}
        </Text>
        <Badge variant="light" color={tracing ? "teal" : "gray"} tt="none">
          {tracing ? t("ceph.films.traced", { marked }) : t("ceph.films.untraced")}
        </Badge>
        <Button
          component={ScreenLink}
          screen="cephViewer"
          search={{ study: studyId, item: instanceId }}
          variant="light"
          size="xs"
        >
          {t("ceph.open")}
        </Button>
      </Stack>
    </Card>
  );
}
