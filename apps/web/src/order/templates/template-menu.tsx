import { Button, Menu } from "@mantine/core";
import { IconChevronDown, IconStar, IconTemplate } from "@tabler/icons-react";
import { useState } from "react";
import { useTexts } from "../../i18n/texts.ts";
import { toast } from "../../browser/toast.ts";
import type { Draft } from "../form/order-draft.ts";
import { ManageTemplates } from "./manage-templates.tsx";
import { SaveTemplate } from "./save-template.tsx";
import type { Templates } from "./use-templates.ts";

/** Fills the order from a template, or saves it as one. */
export function TemplateMenu({ draft, templates }: { draft: Draft; templates: Templates }) {
  const t = useTexts("order");
  const [open, setOpen] = useState<"save" | "kept" | null>(null);
  return (
    <>
      <Menu position="bottom-end" withinPortal>
        <Menu.Target>
          <Button
            size="xs"
            variant="default"
            leftSection={<IconTemplate size={16} stroke={1.6} aria-hidden />}
            rightSection={<IconChevronDown size={14} aria-hidden />}
          >
            {t("order.template.title")}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {templates.all.length > 0 && <Menu.Label>{t("order.template.begin")}</Menu.Label>}
          {templates.all.map((template) => (
            <Menu.Item
              key={template.id}
              leftSection={template.isDefault ? <IconStar size={15} aria-hidden /> : undefined}
              onClick={() => {
                templates.apply(template);
                toast("success", t("order.template.begun", { name: template.name }));
              }}
            >
              {template.name}
            </Menu.Item>
          ))}
          {templates.all.length > 0 && <Menu.Divider />}
          <Menu.Item onClick={() => setOpen("save")}>{t("order.template.save")}</Menu.Item>
          {templates.all.some(({ mayChange }) => mayChange) && (
            <Menu.Item onClick={() => setOpen("kept")}>{t("order.template.kept")}</Menu.Item>
          )}
        </Menu.Dropdown>
      </Menu>
      {open === "save" && <SaveTemplate draft={draft} onClose={() => setOpen(null)} />}
      {open === "kept" && <ManageTemplates templates={templates.all} onClose={() => setOpen(null)} />}
    </>
  );
}
