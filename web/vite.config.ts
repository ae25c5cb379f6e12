import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";
import { gzipSync } from "node:zlib";
import react from "@vitejs/plugin-react";
import { defineConfig, type Plugin } from "vite";

const WORTH_PACKING = 1024;

/** Packs every asset once, so that the server has nothing to pack. */
function packed(): Plugin {
  let folder = "";
  return {
    name: "packed",
    apply: "build",
    configResolved(config) {
      folder = resolve(config.root, config.build.outDir, "assets");
    },
    closeBundle() {
      for (const name of readdirSync(folder)) {
        const data = readFileSync(resolve(folder, name));
        if (data.length > WORTH_PACKING && /\.(js|css|svg|json)$/.test(name)) {
          writeFileSync(resolve(folder, `${name}.gz`), gzipSync(data, { level: 9 }));
        }
      }
    },
  };
}

export const shared = {
  resolve: { alias: { "@": resolve(import.meta.dirname, "src") } },
};

const unchanged = { target: "http://127.0.0.1:8642", changeOrigin: false };

export default defineConfig({
  ...shared,
  plugins: [react(), packed()],
  build: {
    outDir: resolve(import.meta.dirname, "../src/whet/static"),
    emptyOutDir: true,
    license: { fileName: "third-party-licenses.md" },
    chunkSizeWarningLimit: 800,
    assetsInlineLimit: 0,
    rolldownOptions: {
      output: {
        hashCharacters: "base36",
        codeSplitting: {
          groups: [
            // Parts that charts and others share; else the first page would fetch the charts.
            {
              name: "react",
              test: /node_modules\/(react|react-dom|scheduler|tslib)\//,
              priority: 2,
            },
            { name: "charts", test: /node_modules\/(echarts|zrender)\//, priority: 1 },
          ],
        },
      },
    },
  },
  // The host stays as the browser has it: the server refuses pages of another one.
  server: { proxy: { "/v1": unchanged, "/wunder": unchanged } },
});
