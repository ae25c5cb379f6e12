export const capability = {
  title: "能力评测",
  about: "模型在固定题集上、按维度的表现。",
  empty: "还没有能力评测",
  emptyHint: "用 `whet capability run` 开始一次。",
  columns: { model: "模型", set: "题集", status: "状态", score: "得分", started: "开始时间" },
};
