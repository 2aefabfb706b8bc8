/** Stands for Supabase Realtime, of which there is no package: speaks its protocol over a WebSocket, as far as private channels go. */
import { createHash } from "node:crypto";
import { createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import type { Duplex } from "node:stream";
import { onTestFinished } from "vitest";

type Message = [joinRef: string | null, ref: string | null, topic: string, event: string, payload: Record<string, unknown>];

export interface RealtimeStub {
  url: string;
  /** What joined: the topic, whether it is private, and with which token. */
  joins: { topic: string; isPrivate: boolean; token: string | undefined }[];
  /** Send what the database's `realtime.send` would have sent to who joined the topic. */
  broadcast: (topic: string) => void;
}

/** Serve until the test ends; `mayJoin` stands for the policies. */
export async function serveRealtime(mayJoin: (topic: string, token: string | undefined) => boolean): Promise<RealtimeStub> {
  const joins: RealtimeStub["joins"] = [];
  const joined: { topic: string; socket: Duplex }[] = [];
  const answer = (socket: Duplex, [joinRef, ref, topic, event, payload]: Message) => {
    let status = "ok";
    if (event === "phx_join") {
      const { config, access_token: token } = payload as { config?: { private?: boolean }; access_token?: string };
      joins.push({ topic, isPrivate: config?.private === true, token });
      status = mayJoin(topic, token) ? "ok" : "error";
      if (status === "ok") joined.push({ topic, socket });
    }
    const response = status === "ok" ? {} : { reason: "Unauthorized: You do not have permissions to read from this Channel topic" };
    send(socket, [joinRef, ref, topic, "phx_reply", { status, response }]);
  };
  const server = createServer();
  server.on("upgrade", (request: IncomingMessage, socket: Duplex) => {
    const key = `${request.headers["sec-websocket-key"]}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`;
    const accept = createHash("sha1").update(key).digest("base64");
    socket.write(`HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`);
    let rest = Buffer.alloc(0);
    socket.on("error", () => {}); // who leaves need not say so
    socket.on("data", (data: Buffer) => {
      rest = Buffer.concat([rest, data]);
      for (let frame = readFrame(rest); frame; frame = readFrame(rest)) {
        rest = rest.subarray(frame.size);
        if (frame.opcode === 8) socket.end();
        if (frame.opcode === 1) answer(socket, JSON.parse(frame.text) as Message);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => {
    for (const { socket } of joined) socket.destroy();
    server.close();
  });
  const broadcast = (topic: string) => {
    const payload = { type: "broadcast", event: "changed", payload: { table: "user_memory" } };
    for (const each of joined) if (each.topic === `realtime:${topic}`) send(each.socket, [null, null, each.topic, "broadcast", payload]);
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, joins, broadcast };
}

/** The first whole frame of a client, which masks what it sends. */
function readFrame(data: Buffer): { opcode: number; text: string; size: number } | null {
  if (data.length < 2) return null;
  const short = (data[1] ?? 0) & 0x7f;
  const extra = short === 126 ? 2 : short === 127 ? 8 : 0;
  if (data.length < 2 + extra) return null;
  const length = short === 126 ? data.readUInt16BE(2) : short === 127 ? Number(data.readBigUInt64BE(2)) : short;
  const start = 2 + extra + 4;
  if (data.length < start + length) return null;
  const mask = data.subarray(2 + extra, start);
  const content = data.subarray(start, start + length).map((byte, index) => byte ^ (mask[index % 4] ?? 0));
  return { opcode: (data[0] ?? 0) & 0x0f, text: Buffer.from(content).toString(), size: start + length };
}

function send(socket: Duplex, message: Message): void {
  const text = Buffer.from(JSON.stringify(message));
  const head = text.length < 126 ? Buffer.from([0x81, text.length]) : Buffer.from([0x81, 126, text.length >> 8, text.length & 0xff]);
  socket.write(Buffer.concat([head, text]));
}
