import { Button, Group, Text } from "@mantine/core";
import { useCallback, useState } from "react";
import type { ComponentProps } from "react";
import { useLeaveGuard } from "../../browser/leave-guard.ts";
import { useTexts } from "../../i18n/texts.ts";
import { ConfirmDialog } from "../confirm-dialog.tsx";
import { FormError } from "../form/form-error.tsx";
import { SectionedPage } from "./sectioned-page.tsx";
import classes from "./sections.module.css";
import { UnsavedChangesContext, useSettingsForm } from "./unsaved-changes.ts";
import type { ChangedForm, RegisterForm, SettingsForm } from "./unsaved-changes.ts";

type SettingsPageProps = Omit<ComponentProps<typeof SectionedPage>, "foot"> & {
  /** A form that spans several sections. A form within a section registers itself by `useSettingsForm`. */
  form?: SettingsForm;
  /** The refusal of that form that belongs to no field. */
  problem?: string | undefined;
};

/**
 * A page of settings: whatever was changed in its forms (`useSettingsForm`) is saved or discarded together at the foot
 * of the window, and leaving the page with unsaved changes asks.
 */
export function SettingsPage({ form, problem, ...props }: SettingsPageProps) {
  const [forms, setForms] = useState<ReadonlyMap<string, ChangedForm>>(new Map());
  const [isBusy, setBusy] = useState(false);
  const register: RegisterForm = useCallback((id, form) => {
    setForms((now) => new Map([...[...now].filter(([key]) => key !== id), ...(form ? [[id, form] as const] : [])]));
  }, []);
  const save = async () => {
    setBusy(true);
    for (const form of forms.values()) await form.save();
    setBusy(false);
  };
  const discard = () => {
    for (const form of forms.values()) form.discard();
  };
  return (
    <UnsavedChangesContext value={register}>
      <SectionedPage
        width="reading"
        {...props}
        foot={
          forms.size > 0 && <SaveBar isBusy={isBusy} problem={problem} onSave={() => void save()} onDiscard={discard} />
        }
      />
      {form && <SpanningForm {...form} />}
      <LeaveQuestion isActive={forms.size > 0} />
    </UnsavedChangesContext>
  );
}

interface SaveBarProps {
  isBusy: boolean;
  problem: string | undefined;
  onSave: () => void;
  onDiscard: () => void;
}

/** Floats at the foot of the window while a page of settings has unsaved changes. */
function SaveBar({ isBusy, problem, onSave, onDiscard }: SaveBarProps) {
  const t = useTexts("shell");
  return (
    <section className={classes.saveBar} aria-label={t("shell.unsaved.text")}>
      {problem && (
        <div className={classes.problem}>
          <FormError text={problem} />
        </div>
      )}
      <Text size="sm" fw={600} role="status">
        {t("shell.unsaved.text")}
      </Text>
      <Group gap="sm" wrap="nowrap">
        <Button variant="default" disabled={isBusy} onClick={onDiscard}>
          {t("shell.unsaved.discard")}
        </Button>
        <Button loading={isBusy} onClick={onSave}>
          {t("common.save")}
        </Button>
      </Group>
    </section>
  );
}

/** Registers the page's own form: below the provider of the register. */
function SpanningForm(form: SettingsForm) {
  useSettingsForm(form);
  return null;
}

function LeaveQuestion({ isActive }: { isActive: boolean }) {
  const t = useTexts("shell");
  const { isAsking, leave, stay } = useLeaveGuard(isActive);
  return (
    <ConfirmDialog
      opened={isAsking}
      onClose={stay}
      onConfirm={leave}
      title={t("shell.unsaved.question")}
      text={t("shell.unsaved.questionText")}
      confirm={t("shell.unsaved.leave")}
      cancel={t("shell.unsaved.stay")}
      danger
    />
  );
}
