import { Alert, Button, Drawer, Group, Select, SimpleGrid, Stack, Text, Textarea } from "@mantine/core";
import { useState } from "react";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { pageRules } from "@arcada/contract/kernel/fields";
import { visitCalls, visitParts, visitRules, type Visit } from "@arcada/contract/visit/visit.calls";
import { useUser } from "../kernel/session.ts";
import { useTexts } from "../kernel/texts.ts";
import { toast } from "../kernel/toast.ts";
import { useCall } from "../kernel/use-call.ts";
import { useCallForm, type CallForm } from "../kernel/use-form.ts";
import { DraftFound } from "../ui/draft-found.tsx";
import { FormProblem } from "../ui/form-problem.tsx";
import { VisitFiles } from "./visit-files.tsx";
import { VisitTeeth } from "./visit-teeth.tsx";
import { differences, emptyVisit, inputOf, valuesOf, type VisitValues } from "./visit-values.ts";
import classes from "./visit.module.css";
import { DayFormField } from "../kernel/day-field.tsx";

interface Props {
  opened: boolean;
  patientId: string;
  /** Null: a new one. */
  visit: Visit | null;
  onClose: () => void;
}

/** Creates or changes a visit. The input is kept until it is saved or discarded. */
export function VisitForm({ opened, patientId, visit, onClose }: Props) {
  const t = useTexts("visit");
  return (
    <Drawer
      opened={opened}
      onClose={onClose}
      position="right"
      size={720}
      title={t(visit ? "visit.changeTitle" : "visit.add")}
      closeButtonProps={{ "aria-label": t("common.close") }}
      closeOnClickOutside={false}
    >
      <Form patientId={patientId} visit={visit} onClose={onClose} />
    </Drawer>
  );
}

export type VisitCallForm = CallForm<VisitValues>;

function Form({ patientId, visit, onClose }: Omit<Props, "opened">) {
  const t = useTexts("visit");
  const user = useUser();
  // The visit as it was when the form opened, or the newer one after another user had changed it.
  const [seen, setSeen] = useState(visit);
  const [isUploading, setUploading] = useState(false);
  const call = useCallForm<typeof visitCalls.create | typeof visitCalls.update, VisitValues>(
    seen ? visitCalls.update : visitCalls.create,
    {
      defaults: visit ? valuesOf(visit) : emptyVisit(user.id),
      draft: visit ? `visit.${visit.id}.${visit.version}` : `visit.new.${patientId}`,
      input: (values) =>
        seen
          ? { ...inputOf(values), id: seen.id, version: seen.version, keep: values.keep }
          : { ...inputOf(values), patientId },
      done: () => {
        toast("success", t("common.saved"));
        onClose();
      },
      heard: ({ name }) => {
        // Its details are the visit, not field errors.
        if (name === "visitChanged") call.form.clearErrors();
      },
    },
  );
  const now = call.refused?.name === "visitChanged" ? (call.refused.details as Visit) : null;
  const cancel = () => {
    call.startOver();
    onClose();
  };
  return (
    <form noValidate onSubmit={call.submit}>
      <Stack gap="md">
        {call.isRestored && <DraftFound onStartOver={call.startOver} />}
        <Fields call={call} seen={seen} />
        <VisitFiles call={call} files={seen?.files ?? []} onBusy={setUploading} />
        {now && seen && (
          <Changed
            seen={seen}
            now={now}
            onTake={() => {
              setSeen(now);
              call.form.reset(valuesOf(now));
            }}
            onKeep={() => setSeen(now)}
          />
        )}
        {!now && <FormProblem text={call.problem} />}
        <Group justify="flex-end" className={classes.foot}>
          <Button variant="default" onClick={cancel} disabled={call.busy}>
            {t("common.cancel")}
          </Button>
          <Button type="submit" loading={call.busy} disabled={isUploading}>
            {t("common.save")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Fields({ call, seen }: { call: VisitCallForm; seen: Visit | null }) {
  const t = useTexts("visit");
  const { form, error } = call;
  const members = useCall(memberCalls.list, { page: 1, pageSize: pageRules.most }).data?.list ?? [];
  const dentists = new Map(members.flatMap(({ userId, name }) => (userId ? [[userId, name] as const] : [])));
  if (seen) dentists.set(seen.dentist.id, seen.dentist.name);
  return (
    <>
      <SimpleGrid cols={{ base: 1, xs: 2 }} spacing="sm">
        <DayFormField form={form} field="at" withTime label={t("visit.field.at")} withAsterisk error={error("at")} />
        <Select
          label={t("visit.field.dentist")}
          withAsterisk
          searchable={dentists.size > 8}
          allowDeselect={false}
          data={[...dentists].map(([value, label]) => ({ value, label }))}
          value={form.watch("dentistId")}
          onChange={(id) => id && form.setValue("dentistId", id, { shouldDirty: true })}
          error={error("dentistId")}
        />
      </SimpleGrid>
      {visitParts.map((part) => (
        <Textarea
          key={part}
          label={t(`visit.part.${part}`)}
          autosize
          minRows={part === "complaint" ? 1 : 2}
          maxRows={12}
          maxLength={visitRules.textMost}
          dir="auto"
          error={error(`content.${part}`)}
          {...form.register(`content.${part}`)}
        />
      ))}
      <VisitTeeth
        marks={form.watch("content.marks")}
        onChange={(marks) => form.setValue("content.marks", marks, { shouldDirty: true })}
      />
    </>
  );
}

interface ChangedProps {
  seen: Visit;
  now: Visit;
  onTake: () => void;
  onKeep: () => void;
}
/** Another user saved first. Offers their text, or one's own over it, which keeps theirs as a version. */
function Changed({ seen, now, onTake, onKeep }: ChangedProps) {
  const t = useTexts("visit");
  if (seen.version === now.version)
    return (
      <Alert color="blue" role="status">
        {t("visit.changed.kept")}
      </Alert>
    );
  return (
    <Alert color="yellow" title={t("visit.changed.title", { name: now.changedBy.name })} role="alert">
      <Text size="sm">{t("visit.changed.text")}</Text>
      <ul className={classes.changes}>
        {differences(seen.content, now.content).map((part) => (
          <li key={part}>{t(part === "marks" ? "visit.teeth" : `visit.part.${part}`)}</li>
        ))}
      </ul>
      <Group gap="xs">
        <Button size="xs" variant="default" onClick={onTake}>
          {t("visit.changed.take")}
        </Button>
        <Button size="xs" variant="default" onClick={onKeep}>
          {t("visit.changed.keep")}
        </Button>
      </Group>
    </Alert>
  );
}
