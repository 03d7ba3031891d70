/**
 * Preloaded into the programs we start: when we are gone, even by kill -9, a program that doesn't see to it itself is
 * stopped, and ended when it doesn't stop in time.
 */
const STOP_WITHIN_MS = 5000;

function stop() {
  if (process.listenerCount('disconnect') > 0) return;
  process.kill(process.pid, 'SIGTERM');
  setTimeout(() => process.kill(process.pid, 'SIGKILL'), STOP_WITHIN_MS).unref();
}

// We may be gone before this program has begun.
if (process.connected) process.once('disconnect', stop);
else stop();
