/** Two solenoid valves, each with a pulse counter, and two inputs. */
function decodeUplink(input) {
  return decodeMilesight(input.bytes, {
    '0175': channel('battery', 1, 1),
    '0301': state('valve_1', 'close', 'open'),
    '04c8': channel('valve_1_pulse', 4, 1),
    '0501': state('valve_2', 'close', 'open'),
    '06c8': channel('valve_2_pulse', 4, 1),
    '0701': state('gpio_1', 'off', 'on'),
    '0801': state('gpio_2', 'off', 'on'),
  });
}
