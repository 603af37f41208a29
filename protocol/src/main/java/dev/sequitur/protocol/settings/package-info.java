/** Every interval, threshold and limit of the sequencer's rules, with its unit and its reason. */
package dev.sequitur.protocol.settings;
