import { Button, Drawer, Group, Stack, Text } from "@mantine/core";
import { IconArrowBackUp } from "@tabler/icons-react";
import { useInfiniteQuery } from "@tanstack/react-query";
import { patientCalls, patientRules } from "@arcada/contract/patient/patient.calls";
import type { BinnedPatient } from "@arcada/contract/patient/patient.calls";
import type { Output } from "@arcada/contract/kernel/call";
import { send } from "../data/ask.ts";
import { formatDay } from "../i18n/format.ts";
import { queryKeyOf } from "../data/query-client.ts";
import { useTexts } from "../i18n/texts.ts";
import { toast } from "../browser/toast.ts";
import { useCommand } from "../data/use-command.ts";
import { QueryResult } from "../ui/query-result.tsx";
import { EmptyState } from "../ui/page-states.tsx";
import { formatAge } from "./patient-age.tsx";
import classes from "./patient-form.module.css";

type BinPage = Output<typeof patientCalls.bin>;

/** Removed patients that can be restored, with the days that are left. */
export function PatientBin({ onClose }: { onClose: () => void }) {
  const t = useTexts("patient");
  const query = useInfiniteQuery({
    queryKey: queryKeyOf(patientCalls.bin, {}),
    queryFn: ({ pageParam, signal }): Promise<BinPage> =>
      send(patientCalls.bin, pageParam ? { cursor: pageParam } : {}, { signal }),
    initialPageParam: "",
    getNextPageParam: (last: BinPage) => last.next,
    meta: { shownBy: "page" },
  });
  const list = query.data?.pages.flatMap((page) => page.list);
  return (
    <Drawer
      opened
      onClose={onClose}
      position="right"
      size={520}
      title={t("patient.bin.title")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      classNames={{ title: classes.title }}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t("patient.bin.says", { days: patientRules.binDays })}
      </Text>
      <QueryResult of={{ ...query, data: list }} empty={<EmptyState title={t("patient.bin.empty")} />}>
        {(patients) => (
          <ul className={classes.rows}>
            {patients.map((patient) => (
              <RemovedPatient key={patient.id} patient={patient} />
            ))}
          </ul>
        )}
      </QueryResult>
      {query.hasNextPage && (
        <Button
          variant="default"
          size="xs"
          mt="md"
          loading={query.isFetchingNextPage}
          onClick={() => void query.fetchNextPage()}
        >
          {t("patient.showMore")}
        </Button>
      )}
    </Drawer>
  );
}

function RemovedPatient({ patient }: { patient: BinnedPatient }) {
  const t = useTexts("patient");
  const restore = useCommand(patientCalls.restore);
  const restorePatient = async () => {
    if (await restore.run({ id: patient.id })) toast("success", t("patient.bin.restored", { name: patient.name }));
  };
  return (
    <li className={classes.candidate}>
      <Stack gap={2} miw={0}>
        <Text size="sm" fw={600} span className={classes.who}>
          {patient.name}
        </Text>
        <Text size="xs" c="dimmed" span>
          {[patient.number, t(`common.sex.${patient.sex}`), formatAge(t, patient)].join(" · ")}
        </Text>
        <Group gap={8}>
          <Text size="xs" c="dimmed" span>
            {t("patient.bin.removed", { day: formatDay(patient.removedAt) })}
          </Text>
          <Text size="xs" span className={patient.daysLeft <= 3 ? classes.soon : undefined}>
            {t("patient.bin.left", { count: patient.daysLeft })}
          </Text>
        </Group>
      </Stack>
      <Button
        variant="default"
        size="xs"
        loading={restore.busy}
        leftSection={<IconArrowBackUp size={15} aria-hidden />}
        onClick={() => void restorePatient()}
      >
        {t("patient.bin.restore")}
      </Button>
    </li>
  );
}
