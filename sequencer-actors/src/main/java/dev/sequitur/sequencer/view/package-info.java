/** What a node shows of its protocol's inside to people; holds no private data. */
package dev.sequitur.sequencer.view;
