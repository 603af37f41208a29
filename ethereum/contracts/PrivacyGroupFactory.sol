// SPDX-License-Identifier: Apache-2.0
pragma solidity 0.8.37;

/// @title Makes the contracts of privacy groups: minimal proxies (ERC-1167) with their terms behind the code.
contract PrivacyGroupFactory {
    /// @notice A group was made. Names and configuration reach its members by another way; they hash to the genesis.
    event Created(
        address indexed group,
        bytes32 indexed genesis,
        address indexed creator,
        uint256 threshold,
        uint256 changeThreshold,
        address[] committee
    );

    /// @notice A committee has 1 to 255 members, each once and none zero, in ascending order; 1 to all must endorse, and sign a change.
    error BadTerms();

    /// @notice The same creator has made a group of this genesis.
    error AlreadyCreated(address group);

    address public immutable implementation;

    constructor(address implementation_) {
        implementation = implementation_;
    }

    /// @notice Makes a group. Its address follows from creator and genesis, so that nobody else can take it.
    /// @param threshold How many members must endorse.
    /// @param changeThreshold How many must sign for another committee.
    function create(bytes32 genesis, uint256 threshold, uint256 changeThreshold, address[] calldata committee)
        external
        returns (address group)
    {
        uint256 size = committee.length;
        if (size == 0 || size > 255) revert BadTerms();
        if (threshold == 0 || threshold > size || changeThreshold == 0 || changeThreshold > size) revert BadTerms();
        bytes memory members;
        address before = address(0);
        for (uint256 i = 0; i < size; i++) {
            if (committee[i] <= before) revert BadTerms();
            before = committee[i];
            members = bytes.concat(members, bytes20(committee[i]));
        }
        bytes memory code =
            bytes.concat(
                hex"363d3d373d3d3d363d73",
                bytes20(implementation),
                hex"5af43d82803e903d91602b57fd5bf3",
                genesis,
                bytes1(uint8(threshold)),
                bytes1(uint8(changeThreshold)),
                bytes1(uint8(size)),
                members
            );
        // Returns the code behind these ten bytes.
        bytes memory creation = bytes.concat(hex"61", bytes2(uint16(code.length)), hex"80600a3d393df3", code);
        bytes32 salt = keccak256(abi.encode(msg.sender, genesis));
        assembly ("memory-safe") {
            group := create2(0, add(creation, 32), mload(creation), salt)
        }
        if (group == address(0)) revert AlreadyCreated(addressOf(msg.sender, genesis, creation));
        emit Created(group, genesis, msg.sender, threshold, changeThreshold, committee);
    }

    function addressOf(address creator, bytes32 genesis, bytes memory creation) private view returns (address) {
        bytes32 salt = keccak256(abi.encode(creator, genesis));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), salt, keccak256(creation))))));
    }
}
