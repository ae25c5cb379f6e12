/** The parts of the chart library that we use; everything else stays out of the bundle. */
import {
  BarChart,
  HeatmapChart,
  LineChart,
  RadarChart,
  ScatterChart,
  TreeChart,
} from "echarts/charts";
import {
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  RadarComponent,
  TooltipComponent,
  VisualMapComponent,
} from "echarts/components";
import { type EChartsCoreOption, init, use } from "echarts/core";
import { SVGRenderer } from "echarts/renderers";

use([
  BarChart,
  HeatmapChart,
  LineChart,
  RadarChart,
  ScatterChart,
  TreeChart,
  GridComponent,
  LegendComponent,
  MarkLineComponent,
  RadarComponent,
  TooltipComponent,
  VisualMapComponent,
  // Sharp at every size, in print too, and its texts can be read by tests.
  SVGRenderer,
]);

export { init };
export type Option = EChartsCoreOption;
