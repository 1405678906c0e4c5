import { Anchor, Select, Stack, Switch, Text, TextInput } from "@mantine/core";
import { findRole } from "@arcada/contract/kernel/roles";
import { memberCalls } from "@arcada/contract/member/member.calls";
import { patientCalls, maskName } from "@arcada/contract/patient/patient.calls";
import { relationCalls } from "@arcada/contract/relation/relation.calls";
import type { Template } from "@arcada/contract/order/template.calls";
import { ScreenLink } from "../../browser/navigation.tsx";
import { useCurrentUser } from "../../session/current-user.ts";
import { useTexts } from "../../i18n/texts.ts";
import { useCall } from "../../data/use-call.ts";
import { Section } from "../../ui/page.tsx";
import { getToday } from "../../i18n/time-zone.ts";
import { ForwardFields } from "../forwarding/lab-permission-fields.tsx";
import { DayField } from "../../ui/form/day-field.tsx";
import type { FormSectionProps } from "./form-section-props.ts";

interface DeliveryProps extends FormSectionProps {
  /** The template that filled open fields. */
  applied?: Template | null;
}
/** The receiver of the order and the due date. */
export function DeliverySection(part: DeliveryProps) {
  const t = useTexts("order");
  const { draft, change, error } = part;
  return (
    <Section title={t("order.form.delivery")}>
      <Stack gap="md">
        <TargetSelect {...part} />
        <ResponsibleSelect {...part} />
        <DayField
          label={t("order.form.dueDate")}
          min={getToday()}
          value={draft.dueDate ?? ""}
          onChange={(day) => change({ dueDate: day || null })}
          error={error("dueDate")}
        />
        <TextInput
          label={t("order.form.sourceOrder")}
          placeholder={t("order.form.optional")}
          maxLength={40}
          value={draft.sourceOrder ?? ""}
          onChange={(event) => change({ sourceOrder: event.currentTarget.value || null })}
        />
        <MaskNameSwitch {...part} />
        <ForwardFields {...part} />
      </Stack>
    </Section>
  );
}

function TargetSelect({ draft, change, error, applied }: DeliveryProps) {
  const t = useTexts("order");
  const { data } = useCall(relationCalls.list, { state: "established" });
  const labs = (data ?? []).filter(({ other }) => other.type === "lab");
  const none = data !== undefined && labs.length === 0;
  return (
    <div>
      <Select
        label={t("order.form.target")}
        description={t("order.form.targetHint")}
        placeholder={t("common.select")}
        searchable={labs.length > 8}
        disabled={none}
        allowDeselect={false}
        data={labs.map(({ other }) => ({ value: other.id, label: other.name }))}
        value={labs.some(({ other }) => other.id === draft.targetIid) ? draft.targetIid : null}
        onChange={(targetIid) => change({ targetIid })}
        error={error("targetIid")}
      />
      {applied && (
        <Text size="xs" c="dimmed" mt={6} role="status">
          {t("order.template.applied", { name: applied.name })}
        </Text>
      )}
      {none && (
        <Text size="sm" mt={6}>
          {t("order.form.targetNone")}{" "}
          <Anchor component={ScreenLink} screen="relationWeb" size="sm">
            {t("order.form.targetAction")}
          </Anchor>
        </Text>
      )}
    </div>
  );
}

/** An assistant writes for a dentist: the person whom the laboratory contacts, and who decides on its questions. */
function ResponsibleSelect({ draft, change, error }: FormSectionProps) {
  const t = useTexts("order");
  const me = useCurrentUser();
  const { data } = useCall(memberCalls.list, { part: "members", pageSize: 999 });
  const people = (data?.list ?? []).flatMap(({ userId, name, authorityId }) =>
    userId && findRole(authorityId) !== "clinicAssistant" ? [{ value: userId, label: name }] : [],
  );
  const value = draft.responsibleId ?? me?.id ?? null;
  if (people.length < 2 && draft.responsibleId === undefined) return null;
  return (
    <Select
      label={t("order.form.responsible")}
      description={t("order.form.responsibleText")}
      searchable={people.length > 8}
      allowDeselect={false}
      data={people}
      value={people.some((one) => one.value === value) ? value : null}
      onChange={(id) => change({ responsibleId: id ?? undefined })}
      error={error("responsibleId")}
    />
  );
}

function MaskNameSwitch({ draft, change }: FormSectionProps) {
  const t = useTexts("order");
  const { data: patient } = useCall(patientCalls.detail, { id: draft.patientId }, { enabled: draft.patientId !== "" });
  return (
    <Switch
      label={t("order.form.maskName")}
      {...(patient && { description: t("order.form.maskText", { example: maskName(patient.name) }) })}
      checked={draft.maskName}
      onChange={(event) => change({ maskName: event.currentTarget.checked })}
    />
  );
}
