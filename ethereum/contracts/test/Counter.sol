// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// For tests of public transactions: counts to a limit, and refuses in each way that there is.
contract Counter {
    struct Note {
        string text;
        uint256[] marks;
    }

    event Counted(address indexed by, uint256 value, Note note);

    error TooMuch(uint256 asked, uint256 left);

    uint256 public value;
    uint256 private immutable most;

    constructor(uint256 limit) {
        most = limit;
    }

    function add(uint256 amount, Note calldata note) external payable {
        if (value + amount > most) revert TooMuch(amount, most - value);
        require(bytes(note.text).length > 0, "a note is needed");
        value += amount;
        emit Counted(msg.sender, value, note);
    }

    function fail() external pure {
        assert(false);
    }
}
