/**
 * PostgreSQL's settings for a small machine on a farm that does other things too: about 200 MB at work. Durability is
 * full (fsync and synchronous_commit stay on): a power cut loses nothing that was acknowledged.
 */
const siteSettings: Record<string, string> = {
  shared_buffers: '128MB',
  max_connections: '60',
  // Rare checkpoints write each page once, but after a crash all since the last one is done again, about 8 ms of a processor for
  // each MB: with 2 GB that took 20 s after a busy hour, with this at most one.
  max_wal_size: '128MB',
  checkpoint_timeout: '15min',
  // Before that, what was written must be on the disk: asking file by file took 1 to 4 s on a busy one, all at once a tenth.
  ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
  random_page_cost: '1.1', // Flash, not a spinning disk.
  wal_compression: 'pglz', // These binaries are built without lz4 and zstd.
  jit: 'off', // Compiling costs more than our short queries take.
  TimeZone: 'UTC',
  log_timezone: 'UTC',
  cluster_name: 'headrace',
  log_checkpoints: 'off',
  log_line_prefix: '',
};

/** What no override may change: the database is for this machine only and the supervisor reads its stderr. */
const fixedSettings: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  log_destination: 'stderr',
  logging_collector: 'off',
};

/** The arguments for `postgres` that set them, overrides included. */
export function settingArguments(port: number, overrides: Record<string, string> = {}): string[] {
  const settings = { ...siteSettings, ...overrides, ...fixedSettings, port: String(port) };
  return Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}
