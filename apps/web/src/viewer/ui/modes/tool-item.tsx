import { ToolButton, ToolMenu } from "../toolbar/toolbar.tsx";
import { ToolPanel } from "../toolbar/tool-panel.tsx";
import type { ViewerTool } from "./viewer-tool.ts";

/** A tool as a button of the bar: it acts, opens its choices, or opens its form. */
export function ToolItem({ tool }: { tool: ViewerTool }) {
  const { label, icon } = tool;
  if ("items" in tool) return <ToolMenu label={label} icon={icon} items={tool.items} />;
  if ("panel" in tool)
    return (
      <ToolPanel label={label} icon={icon} isOn={tool.isOn ?? false}>
        {tool.panel}
      </ToolPanel>
    );
  const { id: _, ...props } = tool;
  return <ToolButton {...props} />;
}
